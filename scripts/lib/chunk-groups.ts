import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

interface Group {
  readonly name: string
  /**
   * Whether a module belongs to the chunk. `by`: the entry points that load the module, that is the page and modules
   * that are loaded automatically later. `live`: the entry points among them that also load the app's socket.
   */
  readonly holds: (id: string, by: readonly string[], live: readonly string[]) => boolean
}

const [PAGE, LOG_IN, TRADE] = ['/web/index.html', '/login-screen.tsx', '/trade-screen.tsx']
/** This module opens a socket on load. */
const LIVE = fileURLToPath(new URL('../../src/web/live/live-client.ts', import.meta.url))

/** A module belongs to the first group whose `holds` returns true. */
const GROUPS: readonly Group[] = [
  // Changes rarely, so returning visitors keep it cached across releases.
  { name: 'react', holds: (id) => /\/node_modules\/(react|react-dom|scheduler)\//.test(id) },
  { name: 'start', holds: (_, by) => has(by, PAGE) || (has(by, LOG_IN) && has(by, TRADE)) },
  { name: 'forms', holds: (_, by) => by.length > 1 && has(by, LOG_IN) },
  { name: 'parts', holds: (_, by, live) => has(by, TRADE) && by.some((one) => !live.includes(one)) },
  { name: 'live', holds: (_, by) => by.length > 1 && has(by, TRADE) },
]

/**
 * Defines chunks for modules shared by screens. By default the bundler creates one chunk for each set of screens that
 * share a module. That gives 200 files, mostly of a few hundred bytes. They compress badly, and the trade screen would
 * load 50 of them. So the modules of the page and the log-in are one chunk, and the modules that the trade screen
 * shares are two chunks. A visitor who only reads an information page neither loads the socket code nor opens a socket.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const known = new Map<string, readonly string[]>()
  const fetchedBy = (id: string, context: Rolldown.ChunkingContext): readonly string[] => {
    const by = known.get(id) ?? fetchersOf(id, context)
    known.set(id, by)
    return by
  }
  const groupOf = (id: string, context: Rolldown.ChunkingContext): string | undefined =>
    GROUPS.find(({ holds }) => holds(id, fetchedBy(id, context), fetchedBy(LIVE, context)))?.name
  return GROUPS.map(({ name }, place) => ({
    name: (id, context) => (groupOf(id, context) === name ? name : null),
    debugName: name,
    priority: GROUPS.length - place,
  }))
}

/** Returns the page and the automatically loaded modules that import this module, directly or not. */
function fetchersOf(id: string, context: Rolldown.ChunkingContext): string[] {
  const above = new Set([id])
  const fetchers: string[] = []
  for (const at of above) {
    const info = context.getModuleInfo(at)
    if (info === null) continue
    if (info.isEntry || info.dynamicImporters.length > 0) fetchers.push(at)
    for (const importer of info.importers) above.add(importer)
  }
  return fetchers
}

function has(by: readonly string[], end: string): boolean {
  return by.some((id) => id.endsWith(end))
}
