import type { Row } from './specs.ts'

/** What a row holds, read as what its column is. */
export function textOf(row: Row | null | undefined, column: string): string {
  const value = row?.[column]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

export function bigOf(row: Row | null | undefined, column: string): bigint {
  const value = row?.[column]
  return typeof value === 'bigint' ? value : BigInt(typeof value === 'number' ? value : 0)
}
