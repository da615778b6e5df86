import { readFileSync } from 'node:fs'
import { SCREEN_PATHS } from '#core/navigation/screens.ts'

/** Every page of the app, and of the back office, by the routes they have. */
export function pagesOf(): { readonly user: readonly string[]; readonly staff: readonly string[] } {
  const source = readFileSync('src/back-office/pages.tsx', 'utf8')
  const staff = [...source.matchAll(/^\s+path: '([^']+)'/gm)].map(([, path = '']) => `/admin/${path}`)
  return { user: Object.values(SCREEN_PATHS).map(filled), staff: ['/admin/', ...staff.map(filled)] }
}

/** With nothing for what may be left out, and something for what may not. */
function filled(path: string): string {
  return path.replace(/\/:\w+\?/g, '').replace(/:\w+/g, '1') || '/'
}
