import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.mjs'
import { run } from './run.mjs'
import { Stop, step } from './say.mjs'

/** What the web app and the back office are made from. */
const SOURCES = [
  'src/web',
  'src/admin',
  'src/ui',
  'src/core',
  'src/contract',
  'src/messages',
  // The app shows it as it is.
  'docs/no-control.md',
  'scripts/lib/split-texts.ts',
  'scripts/lib/fill-gaps.ts',
  'scripts/lib/start-texts.ts',
  'vite.config.ts',
  'vite.admin.config.ts',
  'package-lock.json',
]
const PAGES = [join(ROOT, 'dist/web/index.html'), join(ROOT, 'dist/admin/index.html')]
const MARK = join(ROOT, 'dist/.fairwick-build')

/** Builds the web app into dist/web and the back office into dist/admin, unless they were made from these very sources. */
export async function ensureWeb() {
  const hash = hashSources()
  if (PAGES.every((page) => existsSync(page)) && existsSync(MARK) && readFileSync(MARK, 'utf8') === hash) return
  await step('Building the web app', async () => {
    rmSync(MARK, { force: true })
    for (const config of ['vite.config.ts', 'vite.admin.config.ts']) {
      const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn']
      const code = await run(process.execPath, args)
      if (code !== 0) throw new Stop(`The web app could not be built: vite build of ${config} ended with ${code}.`)
    }
    mkdirSync(join(ROOT, 'dist'), { recursive: true })
    writeFileSync(MARK, hash)
  })
}

function hashSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesIn)) hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!path.startsWith('src/')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
}
