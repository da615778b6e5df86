import { textOf } from './cells.ts'
import type { Row, TableName, TableSpec } from './specs.ts'

/** Who has rows locked: a transaction that is not over. */
export interface Holder {
  readonly ended: Promise<void>
  waitsFor: Holder | null
}

/** A row through its life: what is committed, and what the transaction that holds it has made of it. */
export class StoredRow {
  committed: Row | null = null
  /** Undefined while its holder has only locked it. */
  pending: Row | null | undefined = undefined
  holder: Holder | null = null
}

/** What the database refuses, with PostgreSQL's own code. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The rows of one table with its unique keys. */
export class MemoryTable {
  readonly name: TableName
  readonly spec: TableSpec
  readonly rows = new Set<StoredRow>()
  /** The primary key first. */
  readonly keys: readonly (readonly string[])[]
  readonly #indexes: readonly Map<string, StoredRow[]>[]
  readonly #int8: readonly string[]
  readonly #json: readonly string[]
  readonly #empty: Row

  constructor(name: TableName, spec: TableSpec) {
    this.name = name
    this.spec = spec
    this.keys = [spec.key, ...(spec.unique ?? [])]
    this.#indexes = this.keys.map(() => new Map())
    this.#int8 = spec.int8 ?? []
    this.#json = spec.json ?? []
    this.#empty = { ...Object.fromEntries(this.#int8.map((column) => [column, null])), ...spec.defaults }
  }

  /** All rows that have, or may yet have, this key; by the primary key unless another is named. */
  having(key: string, index = 0): readonly StoredRow[] {
    return this.#indexes[index]?.get(key) ?? []
  }

  /** The key of a row in one of the indexes; null when a part of it is null, which is never equal to anything. */
  keyOf(row: Row, index = 0): string | null {
    let key = ''
    for (const column of this.keys[index] ?? []) {
      const value = row[column]
      if (value === null || value === undefined) return null
      key += value instanceof Uint8Array ? `${Buffer.from(value).toString('hex')}|` : `${textOf(row, column)}|`
    }
    return key
  }

  put(stored: StoredRow, row: Row): void {
    this.rows.add(stored)
    for (const [at, index] of this.#indexes.entries()) {
      const key = this.keyOf(row, at)
      if (key === null) continue
      const there = index.get(key)
      if (there === undefined) index.set(key, [stored])
      else there.push(stored)
    }
  }

  drop(stored: StoredRow, row: Row): void {
    this.rows.delete(stored)
    for (const [at, index] of this.#indexes.entries()) {
      const key = this.keyOf(row, at)
      if (key === null) continue
      const left = (index.get(key) ?? []).filter((one) => one !== stored)
      if (left.length === 0) index.delete(key)
      else index.set(key, left)
    }
  }

  /** A row as this table keeps it: every column there, int8 as bigint, JSON parsed. */
  toStored(values: Row): Row {
    // A copy of one empty row, so that all rows of a table have one shape: this runs for every row that is ever written.
    const row: Record<string, unknown> = { ...this.#empty }
    for (const column in values) row[column] = values[column]
    return this.#checked(this.#kept(row))
  }

  /** The same row with some columns written anew. */
  changed(row: Row, change: Row): Row {
    return this.#checked({ ...row, ...this.#kept({ ...change }) })
  }

  #kept(row: Record<string, unknown>): Row {
    for (const column of this.#int8) {
      const value = row[column]
      if (typeof value === 'number') row[column] = BigInt(value)
    }
    for (const column of this.#json) {
      const value = row[column]
      if (typeof value === 'string') row[column] = JSON.parse(value)
    }
    return row
  }

  #checked(row: Row): Row {
    if (this.spec.check?.(row) === false) throw new DatabaseError('23514', `a check of ${this.name} fails`)
    return row
  }
}
