import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#core/time/instant.ts'
import { SLOT_MS } from '#core/reports/report-period.ts'

/** The dimensions that totals are kept in, beside the totals of all transfers. */
export const TOTAL_DIMENSIONS = ['symbol', 'length', 'gateway', 'country'] as const
export type TotalDimension = (typeof TOTAL_DIMENSIONS)[number]

export const DAY = sql.raw(String(DAY_MS))
export const SLOT = sql.raw(String(SLOT_MS))
export const SLOTS_PER_DAY = sql.raw(String(DAY_MS / SLOT_MS))

/** Bots are found by their short list, which is faster than joining all users. */
export const IS_BOT = sql`t.user_id in (select id from app_user where is_bot)`

const ORDERS = sql`
  left join order_history h on h.id = t.ref and h.user_id = t.user_id
  left join open_order o on o.id = t.ref and o.user_id = t.user_id`

/** How the value of each dimension of a transfer `t` is found. A transfer without the dimension has an empty value. */
const VALUES: Readonly<
  Record<TotalDimension, { readonly joins: RawBuilder<unknown>; readonly value: RawBuilder<unknown> }>
> = {
  symbol: { joins: ORDERS, value: sql`coalesce(h.symbol_id, o.symbol_id)` },
  length: { joins: ORDERS, value: sql`coalesce(h.seconds, o.seconds)` },
  gateway: {
    joins: sql`
  left join deposit d on d.user_id = t.user_id and d.id = t.ref
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

/** Selects transfers `t` that `condition` finds, with their values of some dimensions. */
export function flowsWith(dimensions: readonly TotalDimension[], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const values = dimensions.map((one) => sql`, coalesce((${VALUES[one].value})::text, '') as ${sql.ref(one)}`)
  const joins = new Set(dimensions.map((one) => VALUES[one].joins))
  return sql`
  select t.created_ms, t.kind, t.amount, t.user_id, ${IS_BOT} as is_bot ${join(values)}
  from transfer t ${join([...joins])} where ${condition}`
}

/** SQL condition for transfers `t` from one instant to another. */
export function createdWithin(from: number, until: number): RawBuilder<unknown> {
  return sql`(t.created_ms >= ${from}::int8 and t.created_ms < ${until}::int8)`
}

function join(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return parts.length === 0 ? sql`` : sql.join(parts, sql` `)
}
