import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { TestDatabase } from '#test/support/database.ts'

type Owned = Pick<TestDatabase, 'asOwner'>

/** A rule of the database: a trigger of a table. */
interface Rule {
  readonly table: string
  readonly rule: string
}

const turn = (db: Db, { table, rule }: Rule, state: 'disable' | 'enable') =>
  sql`alter table ${sql.ref(table)} ${sql.raw(state)} trigger ${sql.ref(rule)}`.execute(db)

/** Does some work as the owner of the schema, while one trigger is switched off. */
export const withoutRule = <T>(database: Owned, rule: Rule, work: (db: Db) => Promise<T>): Promise<T> =>
  database.asOwner(async (db) => {
    await turn(db, rule, 'disable')
    const done = await work(db)
    await turn(db, rule, 'enable')
    return done
  })

/** Does some work in a transaction without any triggers, as a fault of the database itself would. */
export const withoutRules = (database: Owned, work: (tx: Tx) => Promise<void>): Promise<void> =>
  database.asOwner((owner) =>
    owner.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await work(tx)
    }),
  )

function allowInFile(database: Owned, rules: readonly Rule[]): void {
  const turnAll = (state: 'disable' | 'enable') =>
    database.asOwner(async (db) => {
      for (const rule of rules) await turn(db, rule, state)
    })
  beforeAll(() => turnAll('disable'))
  afterAll(() => turnAll('enable'))
}

/** Allows transfers without their records, for the tests of one file that are only about the ledger. */
export const allowBareTransfers = (database: Owned): void =>
  allowInFile(database, [
    { table: 'transfer', rule: 'transfer_make_good' },
    { table: 'transfer', rule: 'transfer_recorded' },
    { table: 'transfer', rule: 'transfer_of_arrival' },
    { table: 'transfer', rule: 'transfer_of_withdrawal' },
    { table: 'transfer', rule: 'transfer_audited' },
  ])

/** Allows decided records without their transfers, for the tests of one file that are only about the records. */
export const allowBareRecords = (database: Owned): void =>
  allowInFile(database, [
    { table: 'deposit', rule: 'deposit_transferred' },
    { table: 'withdrawal', rule: 'withdrawal_transferred' },
  ])
