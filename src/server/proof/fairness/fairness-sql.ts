import type { Fairness } from '#contract/fairness.ts'
import { MIN_GROUP_USERS } from '#server/proof/fairness/group-figures.ts'

/**
 * Orders of users who are not bots, without practice orders, including orders that were sold back (result 5). For the figures of bots, read
 * `u.is_bot` instead of `not u.is_bot`. No figure of bots is withheld.
 */
const CLOSED = `from order_history o join app_user u on u.id = o.user_id
where o.settled_ms >= :since_ms and o.settled_ms < :until_ms and u.practice_of is null and not u.is_bot`

const ORDERS = `select s.code as symbol, o.seconds, o.profit_basis_points,
  count(*) filter (where o.result = 1) as wins,
  count(*) filter (where o.result = 2) as losses,
  count(*) filter (where o.result = 3) as draws,
  count(*) filter (where o.result = 4) as voids
${CLOSED.replace('join app_user', 'join market_symbol s on s.id = o.symbol_id join app_user')}
and o.result <> 5
group by s.code, o.seconds, o.profit_basis_points
having count(distinct o.user_id) >= ${MIN_GROUP_USERS}`

const LOSING = `select count(*) as users, count(*) filter (where total < 0) as losing_users,
  count(*) filter (where total > 0) as ahead_users
from (select sum(o.result_amount) as total ${CLOSED}
group by o.user_id) per_user`

const percentilesOf = (ms: string) => `percentile_disc(0.5) within group (order by ${ms}) as median_ms,
  percentile_disc(0.95) within group (order by ${ms}) as p95_ms,
  percentile_disc(0.99) within group (order by ${ms}) as p99_ms`

const LATENESS = `select count(*) as count,
  ${percentilesOf('o.settled_ms - o.expires_ms')}
${CLOSED} and o.result <> 5`

/** An order without a stored request time is not part of the percentiles. */
const ACCEPTANCE = `select count(o.received_ms) as count,
  count(distinct o.user_id) filter (where o.received_ms is not null) as users,
  count(*) filter (where o.received_ms is null) as not_timed,
  ${percentilesOf('o.opened_ms - o.received_ms')}
${CLOSED} and o.result <> 5`

/** A withdrawal that its user cancelled is not a decision. */
const WITHDRAWALS = `select count(*) as decided, count(distinct w.user_id) as users,
  percentile_disc(0.5) within group (order by w.decided_ms - w.created_ms) as median_ms,
  percentile_disc(0.95) within group (order by w.decided_ms - w.created_ms) as p95_ms
from withdrawal w join app_user u on u.id = w.user_id
where w.decided_ms >= :since_ms and w.decided_ms < :until_ms and not w.is_cancelled and not u.is_bot`

/**
 * `late` counts withdrawals past their deadline of 72 h. When a user requests again after a rejection, the wait of the
 * rejected request counts too.
 */
const PENDING = `select count(*) as count, :until_ms - min(w.created_ms) as oldest_ms,
  count(*) filter (where w.clock_ms < :until_ms - 259200000) as late
from withdrawal w join app_user u on u.id = w.user_id
where w.status = 2 and w.created_ms < :until_ms and not u.is_bot`

/**
 * The durations on offer with their payouts. The first terms of an installation are in force at once (`applies_ms =
 * announced_ms`), even before the end of the counted time.
 */
const EXPIRIES = `select o.subject::int4 as seconds, p.value::int4 as profit_basis_points
from (select distinct on (subject) subject, value from terms_entry
  where kind = 'duration' and (applies_ms <= :until_ms or applies_ms = announced_ms) order by subject, n desc) o
join (select distinct on (subject) subject, value from terms_entry
  where kind = 'payout' and (applies_ms <= :until_ms or applies_ms = announced_ms) order by subject, n desc) p on p.subject = o.subject
where o.value = 'open'
order by seconds`

/**
 * Sold orders for which the payment at their expiry is known. So both amounts, for the sale and at the expiry, are sums
 * over the same orders.
 */
const SALES = `select s.code as symbol, o.seconds, count(*) as orders, sum(e.stake)::int8 as stakes, sum(e.paid)::int8 as paid,
  sum(e.fee)::int8 as fee, sum(k.payment)::int8 as at_expiry
from sale_end e join sale_expiry k on k.order_id = e.order_id
join order_history o on o.user_id = e.user_id and o.id = e.order_id
join market_symbol s on s.id = o.symbol_id join app_user u on u.id = o.user_id
where e.reason is null and e.decided_ms >= :since_ms and e.decided_ms < :until_ms and u.practice_of is null and not u.is_bot
group by s.code, o.seconds
having count(distinct o.user_id) >= ${MIN_GROUP_USERS}
order by s.code, o.seconds`

/**
 * The SQL of each figure, as the page shows it. The server runs `withdrawals`, `pending`, `expiries` and `sales` as
 * shown. The other statements would read all orders of 90 days at once, so the server computes these figures from daily
 * totals. A test compares both results.
 */
export const FIGURE_SQL: Readonly<Record<Fairness['queries'][number]['figure'], string>> = {
  orders: ORDERS,
  losing: LOSING,
  acceptance: ACCEPTANCE,
  lateness: LATENESS,
  withdrawals: WITHDRAWALS,
  pending: PENDING,
  expiries: EXPIRIES,
  sales: SALES,
}

/** Returns the SQL of a figure with its two instants inserted. */
export function sqlBetween(figure: keyof typeof FIGURE_SQL, sinceMs: number, untilMs: number): string {
  return FIGURE_SQL[figure].replaceAll(':since_ms', `${sinceMs}::int8`).replaceAll(':until_ms', `${untilMs}::int8`)
}
