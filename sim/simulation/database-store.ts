import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Tables } from '#server/platform/database/tables.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Change } from '../memory-store/memory-transaction.ts'
import { MemoryTable } from '../memory-store/memory-table.ts'
import { type Row, SPECS, type TableName } from '../memory-store/specs.ts'
import type { SimStore } from './store.ts'
import { AUTOMATIC_GATEWAY } from './seed-world.ts'

const LOOK_MS = 5_000

/**
 * The embedded database, emptied, with the product's own statements. Virtual time stands still during its work. Commits
 * are observed by reading all tables every few seconds.
 */
export function onDatabase(database: TestDatabase): (kernel: Kernel) => Promise<SimStore> {
  return async (kernel) => {
    await database.truncateAll()
    return {
      db: database.db,
      shared: { driver: outsideDriver(database.db, kernel), compiler: () => new PostgresQueryCompiler() },
      engineStore: null,
      isPolled: true,
      watch: (observe) => void look(database.db, kernel, observe),
    }
  }
}

async function look(db: Kysely<Tables>, kernel: Kernel, observe: (changes: readonly Change[]) => void): Promise<never> {
  const tables = Object.keys(SPECS) as TableName[]
  const driver = outsideDriver(db, kernel)
  let before = await readAll(driver, tables)
  for (;;) {
    await kernel.sleep(LOOK_MS)
    const after = await readAll(driver, tables)
    const changes = tables.flatMap((table) => difference(table, before.get(table), after.get(table)).flatMap(asSteps))
    before = after
    if (changes.length > 0) observe(changes)
  }
}

type Rows = ReadonlyMap<string, Row>

/** Reads all tables in one snapshot. */
async function readAll(driver: Driver, tables: readonly TableName[]): Promise<Map<TableName, Rows>> {
  const connection = await driver.acquireConnection()
  try {
    await driver.beginTransaction(connection, { isolationLevel: 'repeatable read' })
    const found = new Map<TableName, Rows>()
    for (const name of tables) {
      const table = new MemoryTable(name, SPECS[name] ?? { key: [] })
      const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(`select * from ${name}`))
      found.set(name, new Map(rows.map((row) => [table.keyOf(row) ?? '', row])))
    }
    await driver.commitTransaction(connection)
    return found
  } finally {
    await driver.releaseConnection(connection)
  }
}

function difference(table: TableName, before: Rows = new Map(), after: Rows = new Map()): Change[] {
  const changes: Change[] = []
  for (const [key, row] of after) {
    const was = before.get(key) ?? null
    if (was === null || !isSame(was, row)) changes.push({ table, before: was, after: row })
  }
  for (const [key, row] of before) if (!after.has(key)) changes.push({ table, before: row, after: null })
  return changes
}

/** Splits a payment that was requested and decided between two reads into its two steps. */
function asSteps(change: Change): Change[] {
  const { table, before, after } = change
  if (before !== null || after === null) return [change]
  const isPayment = (table === 'deposit' && after['gateway_id'] !== AUTOMATIC_GATEWAY) || table === 'withdrawal'
  const isDecided = isPayment ? after['status'] !== 2 : table === 'correction' && after['state'] !== 'waiting'
  if (!isDecided) return [change]
  const pendingRow = { ...after, ...(isPayment ? { status: 2 } : { state: 'waiting' }) }
  return [
    { table, before, after: pendingRow },
    { table, before: pendingRow, after },
  ]
}

function isSame(a: Row, b: Row): boolean {
  return Object.entries(a).every(([column, value]) => printed(value) === printed(b[column]))
}

function printed(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? ''
}

function run(connection: DatabaseConnection, sql: string): Promise<QueryResult<unknown>> {
  return connection.executeQuery(CompiledQuery.raw(sql))
}

const ends = new WeakMap<DatabaseConnection, () => void>()

/** The driver of a query builder. Its work runs outside of virtual time. */
export function outsideDriver(db: Kysely<Tables>, kernel: Kernel): Driver {
  return {
    init: () => Promise.resolve(),
    // Waiting for a connection counts as virtual time, because its holder may be suspended.
    acquireConnection: () =>
      new Promise((resolve, reject) => {
        db.getExecutor()
          .provideConnection(
            (connection) =>
              new Promise<void>((done) => {
                const own = outsideConnection(connection, kernel)
                ends.set(own, done)
                resolve(own)
              }),
          )
          .catch(reject)
      }),
    releaseConnection: (connection) => Promise.resolve(ends.get(connection)?.()),
    async beginTransaction(connection, { isolationLevel }) {
      await run(connection, `start transaction${isolationLevel ? ` isolation level ${isolationLevel}` : ''}`)
    },
    async commitTransaction(connection) {
      await run(connection, 'commit')
    },
    async rollbackTransaction(connection) {
      await run(connection, 'rollback')
    },
    destroy: () => Promise.resolve(),
  }
}

function outsideConnection(inner: DatabaseConnection, kernel: Kernel): DatabaseConnection {
  return {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      kernel.outside(() => inner.executeQuery<R>(query)),
    streamQuery: () => {
      throw new Error('streaming is not supported')
    },
  }
}
