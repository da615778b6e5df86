import { DatabaseError, type Holder, type MemoryTable, StoredRow } from './memory-table.ts'
import type { Row, TableName } from './specs.ts'

/** A row of a table before and after a change; null where there is none. */
export interface Change {
  readonly table: TableName
  readonly before: Row | null
  readonly after: Row | null
}

interface Touched {
  readonly table: MemoryTable
  readonly stored: StoredRow
}

/** Holds the row locks of the transaction until it ends. Other transactions wait for these locks. */
export class MemoryTransaction implements Holder {
  readonly table: (name: string) => MemoryTable
  readonly #onCommit: (changes: readonly Change[]) => void
  readonly #touched: Touched[] = []
  readonly completion: Promise<void>
  waitsFor: Holder | null = null
  #end: () => void = () => {}
  isOver = false

  constructor(table: (name: string) => MemoryTable, onCommit: (changes: readonly Change[]) => void) {
    this.table = table
    this.#onCommit = onCommit
    this.completion = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /** The version of a row that this transaction sees. */
  see({ committed, pending, holder }: StoredRow): Row | null {
    return holder === this && pending !== undefined ? pending : committed
  }

  /** The row with this key; null when there is none. */
  find(table: MemoryTable, key: string, index = 0): Row | null {
    for (const stored of table.having(key, index)) {
      const row = this.see(stored)
      if (row !== null) return row
    }
    return null
  }

  /** Locks the row, waiting if necessary. Returns whether it had to wait. */
  async lock(table: MemoryTable, stored: StoredRow): Promise<boolean> {
    let waited = false
    while (stored.holder !== null && stored.holder !== this) {
      await this.#waitFor(stored.holder)
      waited = true
    }
    this.#mustGoOn()
    if (stored.holder === null) {
      stored.holder = this
      this.#touched.push({ table, stored })
    }
    return waited
  }

  /** Inserts a row. Returns false, without any effect, when one of its keys exists. */
  async tryInsert(table: MemoryTable, values: Row): Promise<boolean> {
    const written = table.spec.onInsert ? table.spec.onInsert(values) : values
    if (written === null) return true
    const row = table.toStored(written)
    for (let index = 0; index < table.keys.length; index += 1) {
      const key = table.keyOf(row, index)
      if (key === null) continue
      for (;;) {
        const foreign = table.having(key, index).find(({ holder, pending }) => {
          return holder !== null && holder !== this && pending !== undefined
        })
        if (foreign?.holder) await this.#waitFor(foreign.holder)
        else break
      }
      const isEnforced = table.spec.notEnforced?.includes(index) !== true
      if (isEnforced && this.find(table, key, index) !== null) return false
    }
    this.#mustGoOn()
    const stored = new StoredRow()
    stored.holder = this
    stored.pending = row
    table.put(stored, row)
    this.#touched.push({ table, stored })
    return true
  }

  async insert(table: MemoryTable, values: Row): Promise<void> {
    if (!(await this.tryInsert(table, values))) {
      throw new DatabaseError('23505', `duplicate key value violates unique constraint of ${table.name}`)
    }
  }

  /** Changes a locked row. Key columns must stay unchanged. */
  update(table: MemoryTable, stored: StoredRow, change: Row): void {
    stored.pending = table.changed(this.see(stored) ?? {}, change)
  }

  /** Deletes a locked row. */
  remove(stored: StoredRow): void {
    stored.pending = null
  }

  commit(): void {
    if (this.isOver) throw new Error('the transaction has already ended')
    const changes: Change[] = []
    for (const { table, stored } of this.#touched) {
      const { committed, pending } = stored
      if (pending !== undefined) {
        if (committed !== null || pending !== null)
          changes.push({ table: table.name, before: committed, after: pending })
        if (pending === null && committed !== null) table.drop(stored, committed)
        stored.committed = pending
      }
      this.#letGo(stored)
    }
    this.#over()
    if (changes.length > 0) this.#onCommit(changes)
  }

  rollback(): void {
    if (this.isOver) return
    for (const { table, stored } of this.#touched) {
      if (stored.committed === null && stored.pending) table.drop(stored, stored.pending)
      this.#letGo(stored)
    }
    this.#over()
  }

  #letGo(stored: StoredRow): void {
    stored.pending = undefined
    stored.holder = null
  }

  #over(): void {
    this.isOver = true
    this.#end()
  }

  async #waitFor(other: Holder): Promise<void> {
    for (let next: Holder | null = other; next !== null; next = next.waitsFor) {
      if (next === this) throw new DatabaseError('40P01', 'deadlock detected')
    }
    this.waitsFor = other
    await other.completion
    this.waitsFor = null
  }

  /** Throws when the node died while it waited for a row. */
  #mustGoOn(): void {
    if (this.isOver) throw new DatabaseError('57P01', 'the connection is gone')
  }
}
