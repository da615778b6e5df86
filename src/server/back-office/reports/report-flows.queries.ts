import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#core/time/instant.ts'
import { SLOT_MS } from '#core/reports/report-period.ts'

/** The dimensions by which totals are stored. Totals of all transfers are stored beside them, under `all`. */
export const TOTAL_DIMENSIONS = ['symbol', 'length', 'gateway', 'country'] as const
export type TotalDimension = (typeof TOTAL_DIMENSIONS)[number]

export const DAY = sql.raw(String(DAY_MS))
export const SLOT = sql.raw(String(SLOT_MS))
export const SLOTS_PER_DAY = sql.raw(String(DAY_MS / SLOT_MS))

/** SQL condition for transfers `t` of bots. A lookup in the short list of bots is faster than a join with all users. */
export const IS_BOT = sql`t.user_id in (select id from app_user where is_bot)`

const ORDERS = sql`
  left join order_history h on h.id = t.ref and h.user_id = t.user_id
  left join open_order o on o.id = t.ref and o.user_id = t.user_id`

/**
 * For each dimension, the joins and the SQL expression for its value of a transfer `t`. A transfer without such a
 * value, such as a bonus without gateway, gets an empty text.
 */
const VALUES: Readonly<
  Record<TotalDimension, { readonly joins: RawBuilder<unknown>; readonly value: RawBuilder<unknown> }>
> = {
  symbol: { joins: ORDERS, value: sql`coalesce(h.symbol_id, o.symbol_id)` },
  length: { joins: ORDERS, value: sql`coalesce(h.seconds, o.seconds)` },
  gateway: {
    joins: sql`
  left join arrival a on t.kind in ('deposit', 'deposit_fee') and a.id = t.ref and a.user_id = t.user_id
  left join deposit d on d.user_id = t.user_id and d.id = coalesce(a.deposit_id, t.ref)
  left join withdrawal w on w.user_id = t.user_id and w.id = t.ref`,
    value: sql`coalesce(d.gateway_id, w.gateway_id)`,
  },
  country: {
    joins: sql`
  left join lateral (
    select c.country from user_country_since c where c.user_id = t.user_id and c.since_ms <= t.created_ms
    order by c.since_ms desc limit 1
  ) c on true`,
    value: sql`c.country`,
  },
}

/** SQL condition for transfers or balances `t` of money, which are all but those of practice accounts. */
export const OF_MONEY = sql`t.currency <> 'PRACTICE'`

/** Selects transfers `t` of money that `condition` finds, with their values of some dimensions. */
export function flowsWith(dimensions: readonly TotalDimension[], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = dimensions.map((one) => sql`, coalesce((${VALUES[one].value})::text, '') as ${sql.ref(one)}`)
  const joins = new Set(dimensions.map((one) => VALUES[one].joins))
  return sql`
  select t.created_ms, t.kind, t.amount, t.user_id, ${IS_BOT} as is_bot ${join(values)}
  from transfer t ${join([...joins])} where ${OF_MONEY} and ${condition}`
}

/** SQL condition for transfers `t` from one instant until before another. */
export function createdWithin(from: number, until: number): RawBuilder<unknown> {
  return sql`(t.created_ms >= ${from}::int8 and t.created_ms < ${until}::int8)`
}

function join(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`` : sql.join(parts, sql` `)
}
