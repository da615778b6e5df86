import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

interface Group {
  readonly name: string
  /**
   * Whether a module belongs to it. `by` are the modules that fetch it: the page, and those that come later by themselves; `live` are
   * those that fetch the app's socket.
   */
  readonly holds: (id: string, by: readonly string[], live: readonly string[]) => boolean
}

const [PAGE, LOG_IN, TRADE] = ['/web/index.html', '/login-screen.tsx', '/trade-screen.tsx']
/** It opens a socket as soon as it is there. */
const LIVE = fileURLToPath(new URL('../../src/web/live/live-client.ts', import.meta.url))

/** The first that holds a module has it. */
const GROUPS: readonly Group[] = [
  // Changes rarely, so returning visitors keep it across releases.
  { name: 'react', holds: (id) => /\/node_modules\/(react|react-dom|scheduler)\//.test(id) },
  { name: 'start', holds: (_, by) => has(by, PAGE) || (has(by, LOG_IN) && has(by, TRADE)) },
  { name: 'forms', holds: (_, by) => by.length > 1 && has(by, LOG_IN) },
  { name: 'parts', holds: (_, by, live) => has(by, TRADE) && by.some((one) => !live.includes(one)) },
  { name: 'live', holds: (_, by) => by.length > 1 && has(by, TRADE) },
]

/**
 * Chunks of what screens have in common. Left to itself the bundler makes one for each set of screens that share something: two hundred
 * files of mostly a few hundred bytes, which compress badly, fifty of them to be fetched for the trade screen. So what the
 * page and the log in need is one file, and what the trade screen shares with other screens are two: whoever only reads a page of
 * information neither fetches nor opens a socket.
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

/** The page, and what is fetched by itself, that import this module, directly or not. */
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
