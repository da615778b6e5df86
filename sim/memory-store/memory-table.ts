import { textOf } from './cells.ts'
import type { Row, TableName, TableSpec } from './specs.ts'

/** The holder of row locks: a transaction that has not ended. */
export interface Holder {
  readonly completion: Promise<void>
  waitsFor: Holder | null
}

/** A stored row: its committed version, and the pending one of the transaction that locks it. */
export class StoredRow {
  committed: Row | null = null
  /** Undefined while its holder has only locked it. */
  pending: Row | null | undefined = undefined
  holder: Holder | null = null
}

/** A database error with PostgreSQL's code. */
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
  /** The primary key comes first. */
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

  /** All rows that have, or may get, this key. `index` chooses the key; 0 is the primary key. */
  having(key: string, index = 0): readonly StoredRow[] {
    return this.#indexes[index]?.get(key) ?? []
  }

  /** The key of a row in an index. Null when a part of the key is null, because null equals nothing. */
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

  /** A row in stored form: all columns present, int8 as bigint, JSON parsed. */
  toStored(values: Row): Row {
    // Copies one empty row, so that all rows of a table have the same shape. This runs for every written row.
    const row: Record<string, unknown> = { ...this.#empty }
    for (const column in values) row[column] = values[column]
    Object.assign(row, this.spec.generated?.(row))
    return this.#checked(this.#toStored(row))
  }

  /** The row with some columns changed. */
  changed(row: Row, change: Row): Row {
    return this.#checked({ ...row, ...this.#toStored({ ...change }) })
  }

  #toStored(row: Record<string, unknown>): Row {
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
