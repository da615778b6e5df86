import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * The right of one server to do the work under a lease. Every write under it includes the token, and the database
 * compares it.
 */
export interface Fence {
  readonly lease: string
  readonly token: bigint
}

/** The lease of the server that listens to the sources and writes the tick log. */
export const TICKS_LEASE = 'ticks'

/** The database's clock, which all servers share. */
const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
/** A server that was not seen for an hour is deleted. */
const FORGOTTEN_AFTER_MS = 3_600_000

export interface Presence {
  /** The random id of one process run of a server. */
  readonly run: string
  /**
   * The name of the node: its host and port, or the run id if it listens on no fixed port. Only one live server has a
   * name at a time.
   */
  readonly name: string
  readonly roles: readonly string[]
  /** Whether the server is connected to the bus. */
  readonly isOnBus: boolean
}

export interface LeaseRow extends Fence {
  readonly owner: string
  readonly isOver: boolean
}

/** Records that this server is alive and prolongs its leases. Returns the leases that it still holds. */
export async function heartbeat(db: Db, me: Presence, held: readonly Fence[], leaseMs: number): Promise<Fence[]> {
  const { rows } = await sql<{ name: string; token: bigint }>`
    with present as (
      insert into server_node (run, name, roles, is_on_bus, seen_ms)
      values (${me.run}, ${me.name}, ${[...me.roles]}::text[], ${me.isOnBus}, ${NOW})
      on conflict (run) do update set seen_ms = excluded.seen_ms, is_on_bus = excluded.is_on_bus
    ), forgotten as (
      delete from server_node where seen_ms < ${NOW} - ${FORGOTTEN_AFTER_MS}::int8
    )
    update lease l set until_ms = ${NOW} + ${leaseMs}::int8
    from unnest(${held.map(({ lease }) => lease)}::text[], ${held.map(({ token }) => token)}::int8[]) as h (name, token)
    where l.name = h.name and l.token = h.token and l.owner = ${me.run} and l.until_ms >= ${NOW}
    returning l.name, l.token`.execute(db)
  return rows.map(({ name, token }) => ({ lease: name, token }))
}

/**
 * Lists the servers seen within `aliveMs`. A server seen further in the future is left out, because it was seen before
 * the database's clock was set back.
 */
export async function livingNodes(db: Db, aliveMs: number): Promise<Presence[]> {
  const rows = await db
    .selectFrom('server_node')
    .select(['run', 'name', 'roles', 'is_on_bus'])
    .where(sql<boolean>`seen_ms between ${NOW} - ${aliveMs}::int8 and ${NOW} + ${aliveMs}::int8`)
    .orderBy('run')
    .execute()
  return rows.map(({ is_on_bus, ...row }) => ({ ...row, isOnBus: is_on_bus }))
}

/**
 * Whether a lease has expired. A lease that ends more than two lease durations from now counts as expired too. Its
 * holder took or prolonged it before the database's clock was set back. A live holder would have prolonged it since.
 */
const isOver = (leaseMs: number) => sql<boolean>`lease.until_ms not between ${NOW} and ${NOW} + ${2 * leaseMs}::int8`

export async function readLeases(db: Db, leaseMs: number): Promise<LeaseRow[]> {
  const rows = await db
    .selectFrom('lease')
    .select(['name', 'owner', 'token', isOver(leaseMs).as('is_over')])
    .execute()
  return rows.map(({ name, owner, token, is_over }) => ({ lease: name, owner, token, isOver: is_over }))
}

/**
 * Takes the free and the expired leases among these. At the first attempt, also takes leases of earlier servers with
 * the same name, which cannot be running any more. Each lease gets a new token, so that writes under the previous token
 * are refused.
 */
export async function takeLeases(
  db: Db,
  { run, name }: Pick<Presence, 'run' | 'name'>,
  names: readonly string[],
  { leaseMs, isFirst }: { readonly leaseMs: number; readonly isFirst: boolean },
): Promise<Fence[]> {
  const { rows } = await sql<{ name: string; token: bigint }>`
    insert into lease (name, owner, token, until_ms)
    select wanted, ${run}, 1, ${NOW} + ${leaseMs}::int8 from unnest(${[...names].toSorted()}::text[]) as w (wanted)
    order by wanted
    on conflict (name) do update
      set owner = excluded.owner, token = lease.token + 1, until_ms = excluded.until_ms
      where ${isOver(leaseMs)}
        or (${isFirst} and lease.owner in (select n.run from server_node n where n.name = ${name} and n.run <> ${run}))
    returning name, token`.execute(db)
  return rows.map((row) => ({ lease: row.name, token: row.token }))
}

/** Releases leases, so that other servers can take them at once. A lease taken again since then is not affected. */
export async function releaseLeases(db: Db, run: string, fences: readonly Fence[]): Promise<void> {
  await sql`
    update lease l set until_ms = 0
    from unnest(${fences.map(({ lease }) => lease)}::text[], ${fences.map(({ token }) => token)}::int8[]) as f (name, token)
    where l.name = f.name and l.token = f.token and l.owner = ${run}`.execute(db)
}

export async function leaveNodes(db: Db, run: string): Promise<void> {
  await db.deleteFrom('server_node').where('run', '=', run).execute()
}

/**
 * SQL condition that is true while this is the lease's token. It also keeps other servers from taking the lease until
 * the commit: a new token must wait, because the token is part of a key. Prolonging the lease does not wait.
 */
export function holds({ lease, token }: Fence) {
  return sql`(select 1 from lease where name = ${lease} and token = ${token}::int8 for key share)`
}
