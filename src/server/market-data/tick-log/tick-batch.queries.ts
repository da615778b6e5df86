import type { Tick } from '#core/markets/tick.ts'
import type { Instant } from '#core/time/instant.ts'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '#server/platform/database/tables.ts'
import { type Fence, holds } from '#server/platform/cluster/lease.queries.ts'
import { type BatchRow, type TickPack, unpack } from '#server/market-data/tick-log/tick-pack.ts'
import { GENESIS_HASH, textToTicks } from '#server/market-data/tick-log/tick-text.ts'

/** The end of the log, which the next batch continues. */
export interface LogHead {
  readonly lastSeq: number
  readonly hash: Uint8Array
}

/** A batch never covers more source time than this, so that a search by time is bounded on both sides. */
export const BATCH_SPAN_MS = 120_000
/** 10 minutes: the longest source time that a pack covers. The database enforces it. */
export const PACK_SPAN_MS = 600_000
const LOOSE_PER_PAGE = 300

export async function readHead(db: Db): Promise<LogHead> {
  const row = await db
    .selectFrom('tick_batch')
    .select(['last_seq', 'hash'])
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { lastSeq: Number(row.last_seq), hash: row.hash } : { lastSeq: 0, hash: GENESIS_HASH }
}

/**
 * Appends one batch in a single statement, so it is stored completely or not at all. With a fence, the batch is stored
 * only while the writer holds the lease. Returns whether it was stored.
 */
export async function insertBatch(
  db: Db,
  batch: BatchRow & { readonly payload: string },
  fence: Fence | null = null,
): Promise<boolean> {
  const row = {
    first_seq: batch.firstSeq,
    last_seq: batch.lastSeq,
    first_time_ms: batch.firstTime,
    last_time_ms: batch.lastTime,
    written_ms: batch.writtenAt,
    payload: batch.payload,
    previous_hash: batch.previousHash,
    hash: batch.hash,
  }
  if (fence === null) {
    await db.insertInto('tick_batch').values(row).execute()
    return true
  }
  const { numAffectedRows } = await sql`
    insert into tick_batch (first_seq, last_seq, first_time_ms, last_time_ms, written_ms, payload, previous_hash, hash)
    select ${row.first_seq}::int8, ${row.last_seq}::int8, ${row.first_time_ms}::int8, ${row.last_time_ms}::int8,
      ${row.written_ms}::int8, ${row.payload}::text, ${row.previous_hash}::bytea, ${row.hash}::bytea
    from ${holds(fence)} as held`.execute(db)
  return numAffectedRows === 1n
}

/** Batches after a sequence number, in order, at most `limit`. */
export async function batchesAfter(db: Db, seq: number, limit: number): Promise<BatchRow[]> {
  // Unpacked batches are read first: a batch packed during the read is found twice, but never missed.
  const rows = await db
    .selectFrom('tick_batch')
    .selectAll()
    .where('first_seq', '>', BigInt(seq))
    .orderBy('first_seq')
    .limit(limit)
    .execute()
  const packed: BatchRow[] = []
  let through = seq
  while (packed.length < limit) {
    const pack = await packAfter(db, through)
    if (pack === null) break
    packed.push(...unpack(pack.content).filter(({ firstSeq }) => firstSeq > seq))
    through = pack.lastSeq
  }
  const loose = rows.filter((row) => Number(row.first_seq) > through).map(toBatch)
  return [...packed, ...loose].slice(0, limit)
}

/** Batches that begin before a sequence number, nearest first, at most `limit`. */
export async function batchesBefore(db: Db, seq: number, limit: number): Promise<BatchRow[]> {
  // Unpacked batches are read first. From packs, only batches before the unpacked ones are read: see `batchesAfter`.
  const rows = await db
    .selectFrom('tick_batch')
    .selectAll()
    .where('first_seq', '<', BigInt(seq))
    .orderBy('first_seq', 'desc')
    .limit(limit)
    .execute()
  const found = rows.map(toBatch)
  while (found.length < limit) {
    const from = found.at(-1)?.firstSeq ?? seq
    const pack = await db
      .selectFrom('tick_pack')
      .selectAll()
      .where('first_seq', '<', BigInt(from))
      .orderBy('first_seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (pack === undefined) break
    const packed = unpack(toPack(pack)).filter(({ firstSeq }) => firstSeq < from)
    found.push(...packed.toReversed())
  }
  return found.slice(0, limit)
}

/** The whole log after a sequence number, in order, a few hundred batches at a time. */
export async function* batchPages(db: Db, seq: number): AsyncGenerator<readonly BatchRow[]> {
  for (let through = seq; ; ) {
    const page = await pageAfter(db, through)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    through = last.lastSeq
  }
}

async function pageAfter(db: Db, seq: number): Promise<readonly BatchRow[]> {
  const packed = async () => {
    const pack = await packAfter(db, seq)
    return pack === null ? [] : unpack(pack.content).filter(({ firstSeq }) => firstSeq > seq)
  }
  const page = await packed()
  if (page.length > 0) return page
  const rows = await db
    .selectFrom('tick_batch')
    .selectAll()
    .where('first_seq', '>', BigInt(seq))
    .orderBy('first_seq')
    .limit(LOOSE_PER_PAGE)
    .execute()
  const loose = rows.map(toBatch)
  if (loose[0]?.firstSeq === seq + 1) return loose
  // The next batch was packed between the two queries, or it does not exist.
  const since = await packed()
  return since.length > 0 ? since : loose
}

/** The pack that holds the next sequence number, or the first pack after it. */
async function packAfter(db: Db, seq: number): Promise<{ content: TickPack; lastSeq: number } | null> {
  const row = await db
    .selectFrom('tick_pack')
    .selectAll()
    .where('last_seq', '>', BigInt(seq))
    .orderBy('first_seq')
    .limit(1)
    .executeTakeFirst()
  return row ? { content: toPack(row), lastSeq: Number(row.last_seq) } : null
}

/** Logged ticks with from <= source time <= to, in log order, as far as they are kept. Optionally of one symbol. */
export async function loggedTicks(db: Db, from: Instant, to: Instant, symbolId?: number): Promise<Tick[]> {
  return (await payloadsBetween(db, { from, to, hasLate: false }))
    .flatMap((payload) => textToTicks(payload, symbolId))
    .filter((tick) => tick.time >= from && tick.time <= to)
}

/**
 * The texts of batches with a source time in this range, in log order, as far as they are kept. Late evidence may span any time, so it has
 * its own indexes.
 */
export async function payloadsBetween(
  db: Db,
  { from, to, hasLate }: { readonly from: Instant; readonly to: Instant; readonly hasLate: boolean },
): Promise<string[]> {
  const inTime = (table: 'tick_batch' | 'tick_pack') =>
    db
      .selectFrom(table)
      .where('last_time_ms', '>=', BigInt(from))
      .where('first_time_ms', '<=', BigInt(to))
      .orderBy('first_seq')
  // Unpacked batches are read first: see `batchesAfter`.
  const rows = [
    ...(hasLate
      ? await inTime('tick_batch').where('is_late', '=', true).select(['first_seq', 'payload']).execute()
      : []),
    ...(await inTime('tick_batch')
      .where('last_time_ms', '<=', BigInt(to + BATCH_SPAN_MS))
      .where('is_late', '=', false)
      .select(['first_seq', 'payload'])
      .execute()),
  ]
  const isLong = sql<boolean>`last_time_ms - first_time_ms > ${sql.lit(PACK_SPAN_MS)}`
  const packs = [
    ...(hasLate ? await inTime('tick_pack').where(isLong).selectAll().execute() : []),
    ...(await inTime('tick_pack')
      .where('last_time_ms', '<=', BigInt(to + PACK_SPAN_MS))
      .selectAll()
      .execute()),
  ]
  const found = new Map<number, string>()
  for (const batch of packs.flatMap((row) => unpack(toPack(row)))) {
    const isInTime = batch.lastTime >= from && batch.firstTime <= to
    if (isInTime && batch.payload !== null) found.set(batch.firstSeq, batch.payload)
  }
  for (const { first_seq, payload } of rows) found.set(Number(first_seq), payload)
  return [...found].toSorted(([a], [b]) => a - b).map(([, payload]) => payload)
}

/** The batch that ends at this sequence number; null when none does. */
export async function batchEndingAt(db: Db, lastSeq: number): Promise<BatchRow | null> {
  return (await batchesAround(db, lastSeq)).find((batch) => batch.lastSeq === lastSeq) ?? null
}

/** A few batches, among them the batch that holds the sequence number if it exists. */
async function batchesAround(db: Db, seq: number): Promise<BatchRow[]> {
  const row = await db
    .selectFrom('tick_batch')
    .selectAll()
    .where('first_seq', '<=', BigInt(seq))
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const pack = await db
    .selectFrom('tick_pack')
    .selectAll()
    .where('first_seq', '<=', BigInt(seq))
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return [...(pack ? unpack(toPack(pack)) : []), ...(row ? [toBatch(row)] : [])]
}

/** The first sequence number of the batch that contains `seq`; null when no batch contains it. */
export async function startOfBatchWith(db: Db, seq: number): Promise<number | null> {
  const holds = ({ firstSeq, lastSeq }: BatchRow): boolean => firstSeq <= seq && seq <= lastSeq
  return (await batchesAround(db, seq)).find(holds)?.firstSeq ?? null
}

/** The logged tick with this sequence number; null when there is none, or when retention has removed it. */
export async function tickAt(db: Db, seq: number): Promise<Tick | null> {
  const payloads = (await batchesAround(db, seq)).filter((batch) => batch.firstSeq <= seq && seq <= batch.lastSeq)
  return payloads.flatMap(({ payload }) => textToTicks(payload ?? '')).find((tick) => tick.seq === seq) ?? null
}

/** Whether retention has processed any part of this range of the log. */
export async function hasDropped(db: Db, firstSeq: number, lastSeq: number): Promise<boolean> {
  const found = await db
    .selectFrom('tick_pack')
    .select('first_seq')
    .where('first_seq', '<=', BigInt(lastSeq))
    .where('last_seq', '>=', BigInt(firstSeq))
    .where('hashes', 'is not', null)
    .orderBy('first_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The first sequence number from which on retention has removed nothing; null while there is no log. */
export async function wholeSince(db: Db): Promise<number | null> {
  const first = (table: 'tick_batch' | 'tick_pack') =>
    db.selectFrom(table).select('first_seq').orderBy('first_seq').limit(1)
  const row =
    (await first('tick_pack').where('hashes', 'is', null).executeTakeFirst()) ??
    (await first('tick_batch').executeTakeFirst())
  return row ? Number(row.first_seq) : null
}

/** The newest source time of a tick that retention may have removed; null when it has removed nothing. */
export async function droppedThrough(db: Db): Promise<Instant | null> {
  const row = await db
    .selectFrom('tick_pack')
    .select('last_time_ms')
    .where('hashes', 'is not', null)
    .orderBy('last_time_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? asInstant(row.last_time_ms) : null
}

/** The sequence number of the first tick that was written at or after a time; null when none was. */
export async function placeOfTime(db: Db, at: Instant): Promise<number | null> {
  const since = (table: 'tick_batch' | 'tick_pack') =>
    db.selectFrom(table).where('written_ms', '>=', BigInt(at)).orderBy('written_ms').orderBy('first_seq').limit(1)
  const loose = await since('tick_batch').select('first_seq').executeTakeFirst()
  const pack = await since('tick_pack').selectAll().executeTakeFirst()
  const packed = pack && unpack(toPack(pack)).find(({ writtenAt }) => writtenAt >= at)
  if (packed) return packed.firstSeq
  return loose ? Number(loose.first_seq) : null
}

/** The first sequence number inside these consecutive batches that an order, a settlement price or the check of a receipt needs. */
export async function firstReferenceIn(db: Db, batches: readonly BatchRow[]): Promise<number | null> {
  const { rows } = await sql<{ seq: bigint }>`
    with b as (
      select * from unnest(
        ${batches.map((batch) => batch.firstSeq)}::int8[], ${batches.map((batch) => batch.lastSeq)}::int8[],
        ${batches.map((batch) => batch.writtenAt)}::int8[]
      ) as b (first_seq, last_seq, written_ms)
    ),
    piece as materialized (
      select min(first_seq) as first_seq, max(last_seq) as last_seq, max(written_ms) as written_ms from b
    ),
    needed as materialized (
      select range_agg(int8range(since_seq, until_seq, '[]')) as places
      from piece, receipt_stretches(piece.first_seq, piece.last_seq)
    ),
    without as materialized (
      select v.* from piece, void_stretches(piece.first_seq, piece.written_ms) v
    )
    select named.seq from b, tick_references(b.first_seq, b.last_seq) as named (seq)
    union all
    select b.first_seq from b, needed where places && int8range(b.first_seq, b.last_seq, '[]')
    union all
    select b.first_seq from b, without where until_seq >= b.first_seq and since_ms <= b.written_ms
    order by 1 limit 1`.execute(db)
  return rows[0] ? Number(rows[0].seq) : null
}

function toBatch(row: Selectable<Tables['tick_batch']>): BatchRow {
  return {
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
    firstTime: asInstant(row.first_time_ms),
    lastTime: asInstant(row.last_time_ms),
    writtenAt: asInstant(row.written_ms),
    payload: row.payload,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

function toPack(row: Selectable<Tables['tick_pack']>): TickPack {
  return {
    firstSeq: Number(row.first_seq),
    previousHash: row.previous_hash,
    hash: row.hash,
    series: row.series,
    heads: row.heads,
    body: row.body,
    hashes: row.hashes,
    headers: row.headers,
    notes: row.notes,
  }
}

function asInstant(ms: bigint): Instant {
  return Number(ms) as Instant
}
