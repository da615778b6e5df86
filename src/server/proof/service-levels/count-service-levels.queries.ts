import { sql } from 'kysely'
import type { ProofServiceLevels, ServiceLevels } from '#contract/service-levels.ts'
import { REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const WINDOW_DAYS = [7, 30, 90] as const
const MAX_DAYS = 90
const HUNDRED = 10_000n
type Kind = 'deposit' | 'withdrawal'

/**
 * Selects the deposits and withdrawals of users that wait or were decided within 90 days. Bots and deposits that were
 * credited at once are left out.
 */
const records = (nowMs: number) => sql`
  records as materialized (
    select 'withdrawal' as of_kind, w.created_ms, w.clock_ms, w.decided_ms, w.amount, w.reason_code as code,
      case when w.state = 'cancelled' then 'cancelled' when w.state in ('paid', 'returned') then 'done'
        when w.status = 3 then 'rejected' else 'waiting' end as state
    from withdrawal w join app_user u on u.id = w.user_id
    where not u.is_bot and (w.status = 2 or w.decided_ms >= ${nowMs - MAX_DAYS * DAY_MS}::int8)
    union all
    select 'deposit', d.created_ms, d.created_ms, d.decided_ms, d.credited, null,
      case when d.status = 1 then 'done' when d.status = 3 then 'rejected' else 'waiting' end
    from deposit d join app_user u on u.id = d.user_id
    where not u.is_bot and (d.status = 2 or (d.decided_ms >= ${nowMs - MAX_DAYS * DAY_MS}::int8 and d.decided_ms > d.created_ms))
  )`

interface WindowRow {
  readonly of_kind: Kind
  readonly days: number
  readonly done: number
  readonly median_ms: bigint | null
  readonly p90_ms: bigint | null
  readonly rejected: number
  readonly codes: readonly (string | null)[] | null
  readonly cancelled: number
}

interface WaitingRow {
  readonly of_kind: Kind
  readonly count: number
  readonly oldest_ms: bigint
  readonly late: readonly { readonly count: number; readonly sum: bigint }[]
}

/** Counts how long deposits and withdrawals took, and how many wait. */
export async function countServiceLevels(db: Db, nowMs: number): Promise<ProofServiceLevels> {
  const { rows: windows } = await sql<WindowRow>`
    with ${records(nowMs)}
    select r.of_kind, w.days, count(*) filter (where state = 'done')::int4 as done,
      percentile_disc(0.5) within group (order by decided_ms - clock_ms) filter (where state = 'done') as median_ms,
      percentile_disc(0.9) within group (order by decided_ms - clock_ms) filter (where state = 'done') as p90_ms,
      count(*) filter (where state = 'rejected')::int4 as rejected,
      array_agg(code) filter (where state = 'rejected') as codes,
      count(*) filter (where state = 'cancelled')::int4 as cancelled
    from records r join unnest(${[...WINDOW_DAYS]}::int4[]) as w (days) on r.decided_ms >= ${nowMs}::int8 - w.days * ${DAY_MS}::int8
    where state <> 'waiting'
    group by r.of_kind, w.days`.execute(db)
  const waiting = await countWaiting(db, nowMs)
  const levelsOf = (kind: Kind): ServiceLevels => ({
    windows: WINDOW_DAYS.map((days) =>
      toWindow(
        days,
        windows.find((row) => row.of_kind === kind && row.days === days),
      ),
    ),
    waiting: toWaiting(waiting.find((row) => row.of_kind === kind)),
  })
  return { deposits: levelsOf('deposit'), withdrawals: levelsOf('withdrawal') }
}

async function countWaiting(db: Db, nowMs: number): Promise<WaitingRow[]> {
  const { rows } = await sql<
    Pick<WaitingRow, 'of_kind' | 'count' | 'oldest_ms'> &
      Record<`c${1 | 3 | 7}`, number> &
      Record<`s${1 | 3 | 7}`, bigint>
  >`
    with ${records(nowMs)}
    select of_kind, count(*)::int4 as count, ${nowMs}::int8 - min(clock_ms) as oldest_ms, ${late(nowMs, 1)}, ${late(nowMs, 3)}, ${late(nowMs, 7)}
    from records where state = 'waiting' group by of_kind`.execute(db)
  return rows.map(({ c1, s1, c3, s3, c7, s7, ...row }) => ({
    ...row,
    late: [
      { count: c1, sum: s1 },
      { count: c3, sum: s3 },
      { count: c7, sum: s7 },
    ],
  }))
}

function late(nowMs: number, days: 1 | 3 | 7) {
  const isLate = sql`clock_ms < ${nowMs - days * DAY_MS}::int8`
  return sql`count(*) filter (where ${isLate})::int4 as ${sql.ref(`c${days}`)},
    coalesce(sum(amount) filter (where ${isLate}), 0)::int8 as ${sql.ref(`s${days}`)}`
}

function toWindow(days: (typeof WINDOW_DAYS)[number], row: WindowRow | undefined): ServiceLevels['windows'][number] {
  const {
    done = 0,
    median_ms: median = null,
    p90_ms: p90 = null,
    rejected = 0,
    codes = null,
    cancelled = 0,
  } = row ?? {}
  const counts = REJECTION_CODES.map((code) => [code, (codes ?? []).filter((one) => one === code).length] as const)
  return {
    days,
    done,
    median_ms: median === null ? null : Number(median),
    p90_ms: p90 === null ? null : Number(p90),
    rejected,
    rejected_by: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    cancelled,
  }
}

function toWaiting(row: WaitingRow | undefined): ServiceLevels['waiting'] {
  const [day, deadline, week] = (row?.late ?? []).map(({ count, sum }) => ({
    count,
    sum: Number(((sum + HUNDRED / 2n) / HUNDRED) * 100n),
  }))
  const none = { count: 0, sum: 0 }
  return {
    count: row?.count ?? 0,
    // The time is at least 0, even after the clock was set back.
    oldest_ms: row === undefined ? null : Math.max(0, Number(row.oldest_ms)),
    over_24h: day ?? none,
    over_72h: deadline ?? none,
    over_7d: week ?? none,
  }
}
