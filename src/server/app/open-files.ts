import { readFileSync } from 'node:fs'
import { CONNECTION_LIMITS, type ConnectionLimits } from '#server/platform/http/server-limits.ts'

/** What a server needs besides connections from outside: its database's files or connections, its log, what is uploaded. */
const KEPT_FREE = { postgres: 100, pglite: 500 } as const
const MIN_CONNECTIONS = 64

/** How many files and connections this process may have open; null where the system does not say. */
export function openFileLimit(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found?.[1] === undefined ? null : Number(found[1])
  } catch {
    // Not Linux.
    return null
  }
}

/** How many connections to take, so that the limit of open files is never reached: what the server itself needs comes first. */
export function connectionLimits(
  openFiles: number | null,
  { kind, connections }: { readonly kind: keyof typeof KEPT_FREE; readonly connections: number },
): ConnectionLimits {
  if (openFiles === null) return CONNECTION_LIMITS
  const left = Math.max(MIN_CONNECTIONS, openFiles - KEPT_FREE[kind] - connections)
  return { perAddress: CONNECTION_LIMITS.perAddress, total: Math.min(CONNECTION_LIMITS.total, left) }
}
