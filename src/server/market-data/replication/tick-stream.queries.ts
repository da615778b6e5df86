import { sql } from 'kysely'
import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { SUSPECT_REASONS, type SuspectReason } from '#server/market-data/feeds/base/feed.ts'
import { type Fence, holds } from '#server/platform/cluster/lease.queries.ts'

/** The writer's state in addition to ticks, for servers that missed its messages. */
export interface StreamState {
  readonly token: bigint
  readonly headSeq: number
  readonly watermarks: readonly (readonly [symbolId: number, time: Instant])[]
  readonly doubts: readonly (readonly [symbolId: number, why: SuspectReason])[]
}

const Doubts = z.array(z.tuple([z.number().int(), z.enum(SUSPECT_REASONS)]))

/** Stores the state, but only from the writer that holds the lease. */
export async function storeStream(db: Db, fence: Fence, { headSeq, watermarks, doubts }: Omit<StreamState, 'token'>) {
  await sql`
    insert into tick_stream (id, token, head_seq, symbol_ids, heard_ms, doubts)
    select 1, ${fence.token}::int8, ${headSeq}::int8, ${watermarks.map(([symbolId]) => symbolId)}::int4[],
      ${watermarks.map(([, time]) => time)}::int8[], ${JSON.stringify(doubts)}::jsonb
    from ${holds(fence)} as f
    on conflict (id) do update set token = excluded.token, head_seq = excluded.head_seq,
      symbol_ids = excluded.symbol_ids, heard_ms = excluded.heard_ms, doubts = excluded.doubts`.execute(db)
}

export async function readStream(db: Db): Promise<StreamState | null> {
  const row = await db.selectFrom('tick_stream').selectAll().where('id', '=', 1).executeTakeFirst()
  if (row === undefined) return null
  return {
    token: row.token,
    headSeq: Number(row.head_seq),
    watermarks: row.symbol_ids.map((symbolId, at) => [symbolId, instant(row.heard_ms[at] ?? 0n)] as const),
    doubts: Doubts.parse(row.doubts),
  }
}
