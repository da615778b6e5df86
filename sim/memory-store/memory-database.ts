import { MemoryTable } from './memory-table.ts'
import { type Change, MemoryTransaction } from './memory-transaction.ts'
import { type Row, SPECS, type TableName } from './specs.ts'

export type Specs = typeof SPECS

/**
 * The part of PostgreSQL that the product relies on, in memory: tables with unique keys, transactions at READ
 * COMMITTED, blocking row locks, and deadlock detection. A statement sees what was committed when it read.
 */
export class MemoryDatabase {
  readonly #tables = new Map<string, MemoryTable>()
  readonly #running = new Set<MemoryTransaction>()
  readonly #listeners = new Set<(changes: readonly Change[]) => void>()

  constructor(specs: Specs = SPECS) {
    for (const [name, spec] of Object.entries(specs)) {
      this.#tables.set(name, new MemoryTable(name as TableName, spec))
    }
  }

  table(name: string): MemoryTable {
    const table = this.#tables.get(name)
    if (table === undefined) throw new Error(`the memory store has no table ${name}`)
    return table
  }

  begin(): MemoryTransaction {
    return new MemoryTransaction(
      (name) => this.table(name),
      (changes) => {
        for (const listener of this.#listeners) listener(changes)
      },
    )
  }

  /** Runs one or more statements in their own transaction. */
  async transaction<T>(work: (tx: MemoryTransaction) => Promise<T>): Promise<T> {
    const tx = this.begin()
    this.#running.add(tx)
    try {
      const result = await work(tx)
      tx.commit()
      return result
    } catch (error) {
      tx.rollback()
      throw error
    } finally {
      this.#running.delete(tx)
    }
  }

  /**
   * Resolves when all statements that run now have ended. A lock of their table in PostgreSQL would be granted at this
   * moment.
   */
  async whenIdle(): Promise<void> {
    await Promise.all([...this.#running].map(({ completion }) => completion))
  }

  /** Subscribes to every commit, in order, with all its changes. */
  onCommit(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.add(listener)
  }

  /** The committed rows of a table. */
  rows(name: TableName): Row[] {
    return [...this.table(name).rows].flatMap(({ committed }) => (committed === null ? [] : [committed]))
  }
}
