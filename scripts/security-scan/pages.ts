import { readFileSync } from 'node:fs'
import { SCREEN_PATHS } from '#core/navigation/screens.ts'

/** Returns all pages of the app and the back office, from their routes. */
export function pagesOf(): { readonly user: readonly string[]; readonly staff: readonly string[] } {
  const source = readFileSync('src/back-office/pages.tsx', 'utf8')
  const staff = [...source.matchAll(/^\s+path: '([^']+)'/gm)].map(([, path = '']) => `/admin/${path}`)
  return { user: Object.values(SCREEN_PATHS).map(filled), staff: ['/admin/', ...staff.map(filled)] }
}

/** Fills a route: optional parameters are left out, required ones get a value. */
function filled(path: string): string {
  return path.replace(/\/:\w+\?/g, '').replace(/:\w+/g, '1') || '/'
}
