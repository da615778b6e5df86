import { sql } from 'kysely'

/**
 * The transfers `t` that do not belong to an order. Repeats the condition of the indexes of transfers exactly, so that
 * PostgreSQL uses them.
 */
export const NOT_OF_ORDERS = sql`t.kind not in ('order_stake', 'order_win', 'order_lose', 'order_profit')`
