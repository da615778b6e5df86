import type { Row } from './specs.ts'

/** Readers of row values by column type. */
export function textOf(row: Row | null | undefined, column: string): string {
  const value = row?.[column]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

export function bigOf(row: Row | null | undefined, column: string): bigint {
  const value = row?.[column]
  return typeof value === 'bigint' ? value : BigInt(typeof value === 'number' ? value : 0)
}
