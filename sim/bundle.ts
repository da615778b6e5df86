import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the worker and all that it imports into one file, twice as quick as the same read file by file through `tsx`, which
 * gives every function its name again each time it is made. Calls `work` with the file, and takes it away.
 */
export async function withBundledWorker<T>(work: (file: string) => Promise<T>): Promise<T> {
  const cache = join(ROOT, 'node_modules', '.cache')
  // Whoever has only just installed has none.
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

/** The query builder freezes each node of each query it builds: nobody here writes to one, and it takes its time. */
function unfrozenQueries(): Plugin {
  return {
    name: 'unfrozen-queries',
    transform(code, id) {
      return id.endsWith('/kysely/dist/esm/util/object-utils.js') ? code.replace('Object.freeze(obj)', 'obj') : null
    },
  }
}
