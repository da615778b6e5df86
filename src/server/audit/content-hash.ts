import { createHash } from 'node:crypto'

/**
 * Hashes the facts that a decision applies to. Any change of a fact changes the hash. Keys are sorted, and bigints are
 * written as text.
 */
export function contentHash(facts: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonical(facts)).digest('hex').slice(0, 32)
}

function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`
}
