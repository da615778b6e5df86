import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Bundles the worker with its imports into one file, which runs twice as fast as through `tsx`. Reason: `tsx` sets each
 * function's name again whenever the function is created. Calls `work` with the file, and deletes the file afterwards.
 */
export async function withBundledWorker<T>(work: (file: string) => Promise<T>): Promise<T> {
  const cache = join(ROOT, 'node_modules', '.cache')
  // Right after an installation the folder does not exist.
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'sim-'))
  try {
    await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      plugins: [unfrozenQueries()],
      ssr: { noExternal: ['kysely'] },
      build: { ssr: 'sim/worker.ts', outDir: folder, target: 'node20', minify: false },
    })
    return await work(join(folder, 'worker.js'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The query builder freezes each query node. No code here changes nodes, and freezing takes time. */
function unfrozenQueries(): Plugin {
  return {
    name: 'unfrozen-queries',
    transform(code, id) {
      return id.endsWith('/kysely/dist/esm/util/object-utils.js') ? code.replace('Object.freeze(obj)', 'obj') : null
    },
  }
}
