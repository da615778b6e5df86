import { readFileSync } from 'node:fs'
import { CONNECTION_LIMITS, type ConnectionLimits } from '#server/platform/http/server-limits.ts'

/** Files and connections that the server itself needs: database, log and uploads. */
const RESERVED_FILES = { postgres: 100, pglite: 500 } as const
const MIN_CONNECTIONS = 64

/** Returns the process's limit of open files, which includes connections. Null when the system does not report it. */
export function openFileLimit(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found?.[1] === undefined ? null : Number(found[1])
  } catch {
    // Only Linux has the file with the limit.
    return null
  }
}

/**
 * Computes the maximum number of connections, so that the process never reaches its limit of open files. Files and
 * connections that the server itself needs are subtracted first.
 */
export function connectionLimits(
  openFiles: number | null,
  { kind, connections }: { readonly kind: keyof typeof RESERVED_FILES; readonly connections: number },
): ConnectionLimits {
  if (openFiles === null) return CONNECTION_LIMITS
  const left = Math.max(MIN_CONNECTIONS, openFiles - RESERVED_FILES[kind] - connections)
  return { perAddress: CONNECTION_LIMITS.perAddress, total: Math.min(CONNECTION_LIMITS.total, left) }
}
