import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.mjs'
import { run } from './run.mjs'
import { Stop, step } from './console-output.mjs'

/** The built server that `npm start` runs. */
export const BUILT_SERVER = 'dist/server/main.mjs'
/**
 * Node flags of `npm start`. Most objects of an order are garbage within milliseconds. A larger semi-space (64 MiB)
 * means fewer collections, and fewer live objects to copy in each.
 */
export const NODE_FLAGS = ['--max-semi-space-size=64']

const SHARED = ['src/core', 'src/contract', 'src/messages', 'package.json', 'package-lock.json']
const APP_SCRIPTS = ['split-texts', 'fill-gaps', 'start-texts', 'compress-files'].map(
  (name) => `scripts/lib/${name}.ts`,
)

/** The builds with their configuration and sources. */
const BUILDS = [
  {
    name: 'web',
    output: 'dist/web/index.html',
    config: 'vite.config.ts',
    // The app shows this page of the documentation, so a change of it requires a new build.
    sources: [
      ...SHARED,
      ...APP_SCRIPTS,
      'scripts/lib/chunk-groups.ts',
      'scripts/lib/styles-after-frame.ts',
      'scripts/lib/app-icons.ts',
      'scripts/lib/app-worker.ts',
      'src/worker',
      'src/web',
      'src/ui',
      'docs/generated/no-control.md',
    ],
  },
  {
    name: 'prerender',
    output: 'dist/prerender/home.js',
    config: 'vite.prerender.config.ts',
    sources: [...SHARED, 'src/web', 'src/ui'],
  },
  {
    name: 'back-office',
    output: 'dist/back-office/index.html',
    config: 'vite.back-office.config.ts',
    sources: [...SHARED, ...APP_SCRIPTS, 'src/back-office', 'src/ui'],
  },
  { name: 'server', output: BUILT_SERVER, config: 'vite.server.config.ts', sources: [...SHARED, 'src/server'] },
]

/** Builds the apps and the server into `dist`. Skips builds whose sources have not changed. */
export async function ensureBuilt() {
  const due = BUILDS.map((build) => ({ ...build, hash: hashOf([...build.sources, build.config]) })).filter(isDue)
  if (due.length === 0) return
  await step(`Building ${due.map(({ name }) => name).join(', ')}`, () => Promise.all(due.map(build)))
}

const markOf = ({ name }) => join(ROOT, `dist/.${name}-build`)

function isDue({ name, output, hash }) {
  const mark = markOf({ name })
  return !existsSync(join(ROOT, output)) || !existsSync(mark) || readFileSync(mark, 'utf8') !== hash
}

async function build({ name, config, hash }) {
  const mark = markOf({ name })
  rmSync(mark, { force: true })
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn']
  // Bundle sizes are not printed by `npm start`, only by `npm run build`.
  const code = await run(process.execPath, args, { env: { ...process.env, FAIRWICK_BUILD: 'quiet' } })
  if (code !== 0) throw new Stop(`${name} could not be built: vite build of ${config} ended with ${code}.`)
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(mark, hash)
}

function hashOf(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesIn)) hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!path.startsWith('src/')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .toSorted()
}
