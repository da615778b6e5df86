import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/** Reads the names of the API keys that placed orders of a user, by order. */
export async function keyNamesOf(
  db: Db,
  userId: string,
  orders: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (orders.length === 0) return new Map()
  const ids = orders.map(({ id }) => id)
  const { rows } = await sql<{ id: string; name: string }>`
    select o.id, k.name
    from (
      select id, user_id, client_order_id from open_order where user_id = ${userId} and id = any(${ids}::uuid[])
      union all
      select id, user_id, client_order_id from order_history where user_id = ${userId} and id = any(${ids}::uuid[])
    ) o
    join key_order q on q.user_id = o.user_id and q.client_order_id = o.client_order_id
    join api_key k on k.user_id = q.user_id and k.id = q.key_id`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
