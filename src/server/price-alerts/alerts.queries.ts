import { type Selectable, sql } from 'kysely'
import type { AlertPlace, AlertRule, AlertTick, WatchedAlert } from '#core/markets/price-alerts/price-alert.ts'
import { price } from '#core/money/price.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Fence, holds } from '#server/platform/cluster/lease.queries.ts'
import type { Db, Tables, Tx } from '#server/platform/database/tables.ts'

/** An alert as its user sees it. */
export interface StoredAlert extends WatchedAlert {
  readonly note: string
  readonly createdAt: Instant
  readonly version: number
  /** The number of the alert's last change. */
  readonly changeN: bigint
}

type AlertRow = Selectable<Tables['price_alert']>

/** Lists a user's running alerts, and the newest of the alerts that no longer run. */
export async function listAlerts(db: Db, userId: string, others: number): Promise<StoredAlert[]> {
  const all = db.selectFrom('price_alert').selectAll().where('user_id', '=', userId)
  const running = await all.where('state', '=', 'running').orderBy('created_ms').orderBy('id').execute()
  const newest = await all.where('state', '<>', 'running').orderBy('change_n', 'desc').limit(others).execute()
  return [...running, ...newest].map(toAlert)
}

export async function findAlert(db: Db, userId: string, id: string): Promise<StoredAlert | null> {
  const row = await db
    .selectFrom('price_alert')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toAlert(row)
}

/** The user's settings of an alert, and the position in the tick log after which it runs. */
export interface AlertStart
  extends Pick<WatchedAlert, 'userId' | 'id' | 'rule' | 'repeats' | 'coolMs' | 'expiresAt' | 'basis' | 'fromSeq'> {
  readonly note: string
}

function startColumns({ rule, repeats, coolMs, expiresAt, basis, fromSeq, note }: Omit<AlertStart, 'userId' | 'id'>) {
  return {
    kind: rule.kind,
    level: rule.kind === 'move' ? null : rule.level,
    move: rule.kind === 'move' ? rule.move : null,
    repeats,
    cool_ms: coolMs,
    expires_ms: expiresAt,
    note,
    basis_seq: basis.seq,
    basis_price: basis.price,
    basis_time_ms: basis.time,
    from_seq: fromSeq,
    armed: true,
    quiet_ms: 0,
  }
}

/** Throws a check violation when the user has too many running alerts or is excluded. */
export async function insertAlert(
  tx: Tx,
  { symbolId, createdAt, ...start }: AlertStart & { readonly symbolId: number; readonly createdAt: Instant },
): Promise<StoredAlert> {
  const row = await tx
    .insertInto('price_alert')
    .values({
      user_id: start.userId,
      id: start.id,
      symbol_id: symbolId,
      created_ms: createdAt,
      ...startColumns(start),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toAlert(row)
}

/**
 * Restarts an alert, if it still has this version. `isRunning` says whether the alert must be running before the
 * restart.
 */
export async function restartAlert(
  tx: Tx,
  { version, isRunning, ...start }: AlertStart & { readonly version: number; readonly isRunning: boolean },
): Promise<StoredAlert | null> {
  const row = await tx
    .updateTable('price_alert')
    .set({ ...startColumns(start), state: 'running', version: version + 1 })
    .where('user_id', '=', start.userId)
    .where('id', '=', start.id)
    .where('version', '=', version)
    .where('state', isRunning ? '=' : '<>', 'running')
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAlert(row)
}

export async function endRunningAlert(
  db: Db,
  { userId, id, version }: { readonly userId: string; readonly id: string; readonly version: number },
): Promise<StoredAlert | null> {
  const row = await db
    .updateTable('price_alert')
    .set({ state: 'ended', version: version + 1 })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAlert(row)
}

/**
 * Locks the mark and returns it: the position up to which the tick log was read for alerts. The mark cannot change
 * until the commit. Transactions of other users can hold the same lock at the same time.
 */
export async function shareMark(tx: Tx): Promise<number> {
  await ensureMark(tx)
  const { until_seq } = await tx.selectFrom('alert_mark').select('until_seq').forShare().executeTakeFirstOrThrow()
  return Number(until_seq)
}

export interface AlertMark {
  readonly untilSeq: number
  readonly lastPlaces: readonly [symbolId: number, last: AlertPlace][]
}

export async function readMark(db: Db): Promise<AlertMark> {
  const row = await db.selectFrom('alert_mark').select(['until_seq', 'last_ticks']).executeTakeFirst()
  return row === undefined ? { untilSeq: 0, lastPlaces: [] } : toMark(row)
}

async function ensureMark(tx: Tx): Promise<void> {
  await tx
    .insertInto('alert_mark')
    .values({ only_one: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Locks the mark until the commit, so that no other transaction can set an alert until then. Returns null when another
 * server has the lease.
 */
export async function lockMark(tx: Tx, fence: Fence | null): Promise<AlertMark | null> {
  await ensureMark(tx)
  const { rows } = await sql<Pick<Selectable<Tables['alert_mark']>, 'until_seq' | 'last_ticks'>>`
    select until_seq, last_ticks from alert_mark ${fence === null ? sql`` : sql`, ${holds(fence)} as held`}
    for update of alert_mark`.execute(tx)
  return rows[0] === undefined ? null : toMark(rows[0])
}

export async function moveMark(tx: Tx, { untilSeq, lastPlaces }: AlertMark): Promise<void> {
  const lastTicks = JSON.stringify(lastPlaces.map(([symbolId, { seq, time }]) => [symbolId, seq, time]))
  await tx.updateTable('alert_mark').set({ until_seq: untilSeq, last_ticks: lastTicks }).execute()
}

function toMark({ until_seq, last_ticks }: { until_seq: bigint; last_ticks: unknown }): AlertMark {
  const places = (last_ticks as [number, number, number][]).map(([symbolId, seq, time]): [number, AlertPlace] => [
    symbolId,
    { seq, time: instant(time) },
  ])
  return { untilSeq: Number(until_seq), lastPlaces: places }
}

/**
 * Lists the alerts whose last change has a number above `changeN`, in the order of these numbers. For 0, lists only
 * running alerts.
 */
export async function alertsChangedAfter(db: Db, changeN: bigint): Promise<StoredAlert[]> {
  const rows = await db
    .selectFrom('price_alert')
    .selectAll()
    .where('change_n', '>', changeN)
    .$if(changeN === 0n, (all) => all.where('state', '=', 'running'))
    .orderBy('change_n')
    .execute()
  return rows.map(toAlert)
}

/**
 * Stores the changes that ticks made to running alerts. Each alert may occur once, with at most one more firing than
 * stored. Returns how many of the alerts were still running.
 */
export async function saveAdvanced(tx: Tx, alerts: readonly WatchedAlert[]): Promise<number> {
  const rows = alerts.map(({ fired, basis, ...alert }) => ({
    user_id: alert.userId,
    id: alert.id,
    state: alert.state,
    level: alert.rule.kind === 'move' ? null : alert.rule.level,
    armed: alert.isArmed,
    quiet_ms: alert.quietUntil,
    round: alert.round,
    basis_seq: basis.seq,
    basis_price: basis.price,
    basis_time_ms: basis.time,
    fired_seq: fired?.tick.seq ?? null,
    fired_price: fired?.tick.price ?? null,
    fired_time_ms: fired?.tick.time ?? null,
    previous_seq: fired?.previous.seq ?? null,
    previous_time_ms: fired?.previous.time ?? null,
  }))
  const { numAffectedRows } = await sql`
    update price_alert p set state = x.state, level = x.level, armed = x.armed, quiet_ms = x.quiet_ms, round = x.round,
      basis_seq = x.basis_seq, basis_price = x.basis_price, basis_time_ms = x.basis_time_ms, fired_seq = x.fired_seq,
      fired_price = x.fired_price, fired_time_ms = x.fired_time_ms, previous_seq = x.previous_seq,
      previous_time_ms = x.previous_time_ms,
      version = p.version + case when x.round <> p.round or x.state <> p.state
        or x.level is distinct from p.level then 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x (user_id uuid, id uuid, state text, level int8, armed boolean,
      quiet_ms int8, round int4, basis_seq int8, basis_price int8, basis_time_ms int8, fired_seq int8, fired_price int8,
      fired_time_ms int8, previous_seq int8, previous_time_ms int8)
    where p.user_id = x.user_id and p.id = x.id and p.state = 'running'`.execute(tx)
  return Number(numAffectedRows)
}

/** A firing of an alert whose notice was just written. */
export interface NotifiedFiring {
  readonly userId: string
  readonly alertId: string
  readonly tick: AlertTick
}

/** Writes the notices of all firings that have none yet, and returns these firings. */
export async function tellFired(tx: Tx): Promise<NotifiedFiring[]> {
  const { rows } = await sql<{
    user_id: string
    alert_id: string
    symbol_id: number
    fired_seq: bigint
    fired_price: bigint
    fired_time_ms: bigint
  }>`select * from tell_price_alerts()`.execute(tx)
  return rows.map((row) => ({
    userId: row.user_id,
    alertId: row.alert_id,
    tick: {
      seq: Number(row.fired_seq),
      symbolId: row.symbol_id,
      price: price(row.fired_price),
      time: instant(row.fired_time_ms),
    },
  }))
}

/** Ends alerts that expired before a time, for symbols that have no later ticks. */
export async function expireAlerts(tx: Tx, before: Instant): Promise<void> {
  await sql`update price_alert set state = 'expired', version = version + 1
    where state = 'running' and expires_ms < ${before}`.execute(tx)
}

/** Deletes alerts that no longer run, if their creation and their expiry were before a time. */
export async function deleteOldPriceAlerts(db: Db, before: Instant): Promise<void> {
  await db
    .deleteFrom('price_alert')
    .where('state', '<>', 'running')
    .where('expires_ms', '<', BigInt(before))
    .where('created_ms', '<', BigInt(before))
    .execute()
}

function toAlert(row: AlertRow): StoredAlert {
  return {
    userId: row.user_id,
    id: row.id,
    symbolId: row.symbol_id,
    rule: toRule(row),
    state: row.state,
    repeats: row.repeats,
    coolMs: Number(row.cool_ms),
    expiresAt: instant(row.expires_ms),
    note: row.note,
    basis: { seq: Number(row.basis_seq), price: price(row.basis_price), time: instant(row.basis_time_ms) },
    fromSeq: Number(row.from_seq),
    isArmed: row.armed,
    quietUntil: instant(row.quiet_ms),
    round: row.round,
    fired: toFiring(row),
    createdAt: instant(row.created_ms),
    version: row.version,
    changeN: row.change_n,
  }
}

function toRule({ kind, level, move }: AlertRow): AlertRule {
  return kind === 'move' ? { kind, move: move ?? 0 } : { kind, level: price(level ?? 0n) }
}

function toFiring(row: AlertRow): WatchedAlert['fired'] {
  const { fired_seq, fired_price, fired_time_ms, previous_seq, previous_time_ms } = row
  if (fired_seq === null || fired_price === null || fired_time_ms === null) return null
  if (previous_seq === null || previous_time_ms === null) return null
  return {
    tick: {
      seq: Number(fired_seq),
      symbolId: row.symbol_id,
      price: price(fired_price),
      time: instant(fired_time_ms),
    },
    previous: { seq: Number(previous_seq), time: instant(previous_time_ms) },
  }
}
