import { sql } from 'kysely'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'

/** The shards of the symbols that this node settles: `symbol_id % shards`, with the lease of each. */
export interface SettleGuard {
  readonly shards: number
  readonly held: readonly (Fence & { readonly shard: number })[]
}

/**
 * Selects the shards whose leases this node still holds, and locks these leases until the commit. A node that takes
 * over a lease waits for this lock. So no decision under an old lease can be committed after a decision of the new
 * holder.
 */
export function heldShards({ held }: SettleGuard) {
  return sql`held as materialized (
    select h.share from unnest(
      ${held.map(({ shard }) => shard)}::int4[], ${held.map(({ lease }) => lease)}::text[],
      ${held.map(({ token }) => token)}::int8[]
    ) as h (share, name, token)
    join lease l on l.name = h.name and l.token = h.token for key share of l
  )`
}
