import { type Selectable, sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tables, Tx } from '#server/platform/database/tables.ts'

/** The set of sums that checks start from now, with its state. Each set of sums is called a run. */
export interface LedgerRun {
  /** The number of the run; 0 before any sums were stored. */
  readonly run: bigint
  /** The sums contain exactly the transfers made and orders settled before this time. */
  readonly until: Instant
  /** When the last read of all rows began, and how long it took in ms. */
  readonly wholeAt: Instant
  readonly wholeTookMs: number
  /** The recount that will replace these sums; null without one. */
  readonly recount: Recount | null
}

/** A new run of sums that is still being built over all transfers, a portion at a time. */
export interface Recount {
  /** The number of the run, which is higher than the number of every earlier run. */
  readonly run: bigint
  /** The sums contain exactly the transfers made and orders settled before this time. */
  readonly until: Instant
  readonly startedAt: Instant
  /** The total duration of the portions so far in ms, without the pauses. */
  readonly workedMs: number
  /** No server reads the next portion before this time. */
  readonly nextAt: Instant
  /**
   * The maximum number of rows of each kind in the next portion: settled orders by opening, settled orders by
   * settlement, and transfers without an order.
   */
  readonly portion: number
}

/** Rows that one statement deletes. They take about a second, and a statement may run for a minute. */
const ROWS_AT_ONCE = 20_000

/** Returns the process id of this transaction's database session. */
export async function sessionOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid ?? 0
}

/** Creates the row of `ledger_run` that checks lock, if it is missing. */
export async function ensureRun(db: Db): Promise<void> {
  await db
    .insertInto('ledger_run')
    .values({ id: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks the run until the end of this transaction and returns it. Returns null when another check has locked it. */
export async function holdRun(tx: Tx): Promise<LedgerRun | null> {
  const row = await tx
    .selectFrom('ledger_run')
    .selectAll()
    .where('id', '=', 1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ? toRun(row) : null
}

/** Returns the run as last committed, even while another check has locked it. */
export async function readRun(db: Db): Promise<LedgerRun> {
  return toRun(await db.selectFrom('ledger_run').selectAll().where('id', '=', 1).executeTakeFirstOrThrow())
}

/** Stores the new state of the run. The caller must have locked it with `holdRun`. */
export async function moveRun(tx: Tx, { run, until, wholeAt, wholeTookMs, recount }: LedgerRun): Promise<void> {
  await tx
    .updateTable('ledger_run')
    .set({
      run,
      until_ms: until,
      whole_ms: wholeAt,
      whole_took_ms: wholeTookMs,
      recount_run: recount?.run ?? 0n,
      recount_until_ms: recount?.until ?? 0,
      recount_started_ms: recount?.startedAt ?? 0,
      recount_worked_ms: recount?.workedMs ?? 0,
      recount_next_ms: recount?.nextAt ?? 0,
      recount_portion: recount?.portion ?? 0,
    })
    .where('id', '=', 1)
    .execute()
}

/** Deletes the sums of all runs with a lower number, a portion at a time. */
export async function dropRunsBefore(db: Db, run: bigint): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ledger_sum where ctid = any (array(
        select ctid from ledger_sum where run < ${run}::int8 limit ${ROWS_AT_ONCE}::int4))`.execute(db)
    if (numAffectedRows !== BigInt(ROWS_AT_ONCE)) break
  }
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from ledger_order_sum where ctid = any (array(
        select ctid from ledger_order_sum where run < ${run}::int8 limit ${ROWS_AT_ONCE}::int4))`.execute(db)
    if (numAffectedRows !== BigInt(ROWS_AT_ONCE)) return
  }
}

function toRun(row: Selectable<Tables['ledger_run']>): LedgerRun {
  return {
    run: row.run,
    until: instant(row.until_ms),
    wholeAt: instant(row.whole_ms),
    wholeTookMs: Number(row.whole_took_ms),
    recount: row.recount_run === 0n ? null : toRecount(row),
  }
}

function toRecount(row: Selectable<Tables['ledger_run']>): Recount {
  return {
    run: row.recount_run,
    until: instant(row.recount_until_ms),
    startedAt: instant(row.recount_started_ms),
    workedMs: Number(row.recount_worked_ms),
    nextAt: instant(row.recount_next_ms),
    portion: Number(row.recount_portion),
  }
}
