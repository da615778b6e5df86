import { type RawBuilder, sql } from 'kysely'
import { type DayRecord, dayText } from '#core/proof/day-record.ts'
import { fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import type { Owed } from '#core/proof/liability.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Slice } from '#server/platform/http/paging.ts'

export interface StoredAccount extends Owed {
  readonly userId: string
  readonly salt: Uint8Array
  /** The leaves of an account, packed by `packParts`. */
  readonly parts: Uint8Array
}

export interface StoredPlaces {
  readonly level: number
  readonly chunk: number
  readonly places: Uint8Array
}

/** Lists the records of the days, newest first, with their total number. */
export async function listDays(db: Db, { limit, offset }: Slice): Promise<{ days: DayRecord[]; total: number }> {
  const rows = await db
    .selectFrom('liability_day')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await db
    .selectFrom('liability_day')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return { days: rows.map(toRecord), total: Number(count) }
}

/** Finds the record of a day, or the newest one. */
export async function findDay(db: Db, day?: number): Promise<DayRecord | null> {
  const newest = db.selectFrom('liability_day').selectAll().orderBy('number', 'desc').limit(1)
  const row = await (day === undefined ? newest : newest.where('day', '=', day)).executeTakeFirst()
  return row ? toRecord(row) : null
}

/** Returns the first day with a record, e.g. `2026-11-21`, or an empty text. */
export async function firstDay(db: Db): Promise<string> {
  const row = await db.selectFrom('liability_day').select('taken_ms').orderBy('number').limit(1).executeTakeFirst()
  return row ? dayText(Number(row.taken_ms)) : ''
}

export async function insertDay(db: Db, day: number, record: DayRecord): Promise<void> {
  await db
    .insertInto('liability_day')
    .values({
      number: record.number,
      day,
      taken_ms: Date.parse(record.taken_at),
      currency: record.currency,
      leaves: record.leaves,
      total: BigInt(record.total),
      root: fromHex(record.root),
      previous_head: fromHex(record.previous),
      head: fromHex(record.head),
    })
    .execute()
}

/**
 * Inserts many accounts with a few long parameters, because passing one parameter per field and account would take most
 * of the time.
 */
export async function insertAccounts(db: Db, day: number, accounts: readonly StoredAccount[]): Promise<void> {
  const [first] = accounts
  if (first === undefined) return
  const salts = joinBytes(...accounts.map(({ salt }) => salt))
  const parts = joinBytes(...accounts.map((account) => account.parts))
  await sql`
    insert into liability_account (day, user_id, cash, staked, withdrawing, salt, parts)
    select ${day}::int4, user_id, cash, staked, withdrawing, ${piece(salts, first.salt.length)}, ${piece(parts, first.parts.length)}
    from unnest(${accounts.map(({ userId }) => userId)}::uuid[], ${accounts.map(({ cash }) => cash)}::int8[],
      ${accounts.map(({ staked }) => staked)}::int8[], ${accounts.map(({ withdrawing }) => withdrawing)}::int8[])
      with ordinality as a (user_id, cash, staked, withdrawing, n)`.execute(db)
}

/** Returns SQL for the bytes of row `n` in packed rows of `size` bytes. */
function piece(all: Uint8Array, size: number): RawBuilder<Uint8Array> {
  return sql<Uint8Array>`substring(${bytea(all)} from ((n - 1) * ${size}::int4 + 1)::int4 for ${size}::int4)`
}

/**
 * Passes bytes as hexadecimal text. The driver writes binary parameters byte by byte, which would take seconds for a
 * tree.
 */
function bytea(bytes: Uint8Array): RawBuilder<Uint8Array> {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return sql<Uint8Array>`decode(${hex}::text, 'hex')`
}

export async function findAccount(db: Db, day: number, userId: string): Promise<StoredAccount | null> {
  const row = await db
    .selectFrom('liability_account')
    .selectAll()
    .where('day', '=', day)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? { ...row, userId } : null
}

export async function insertPlaces(db: Db, day: number, stored: readonly StoredPlaces[]): Promise<void> {
  await db
    .insertInto('liability_node')
    .values(stored.map(({ places, ...place }) => ({ day, ...place, places: bytea(places) })))
    .execute()
}

export async function findPlaces(
  db: Db,
  day: number,
  wanted: readonly Pick<StoredPlaces, 'level' | 'chunk'>[],
): Promise<StoredPlaces[]> {
  const places = wanted.map(({ level, chunk }) => sql`(${level}::int4, ${chunk}::int4)`)
  return db
    .selectFrom('liability_node')
    .select(['level', 'chunk', 'places'])
    .where('day', '=', day)
    .where(sql<boolean>`(level, chunk) in (${sql.join(places)})`)
    .execute()
}

/** Until the end of the transaction, other transactions that store a day wait. */
export async function lockDays(tx: Tx): Promise<void> {
  await lockName(tx, 'liability days')
}

/** Deletes the leaves of all days before `before`, and the leaves that an interrupted attempt left for day `of`. */
export async function removeLeaves(db: Db, { before, of }: { before: number; of: number }): Promise<void> {
  for (const table of ['liability_account', 'liability_node'] as const) {
    await db
      .deleteFrom(table)
      .where((row) => row.or([row('day', '<', before), row('day', '=', of)]))
      .execute()
  }
}

interface DayRow {
  number: number
  taken_ms: bigint
  currency: string
  leaves: number
  total: bigint
  root: Uint8Array
  previous_head: Uint8Array
  head: Uint8Array
}

function toRecord(row: DayRow): DayRecord {
  return {
    number: row.number,
    day: dayText(Number(row.taken_ms)),
    taken_at: toIso(instant(row.taken_ms)),
    currency: row.currency,
    leaves: row.leaves,
    total: String(row.total),
    root: toHex(row.root),
    previous: toHex(row.previous_head),
    head: toHex(row.head),
  }
}
