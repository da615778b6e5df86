import { type RawBuilder, sql } from 'kysely'
import { FOREIGN_WINDOW_MS, type KeyEnd, type KeyScope, MAX_FOREIGN_USES } from '#core/accounts/api-keys.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The limits that a user set for one API key. Null means no limit. */
export interface KeyCaps {
  readonly maxStake: Money | null
  readonly maxStakeDay: Money | null
  readonly maxOpenOrders: number | null
}

/** An API key without its secret. */
export interface ApiKey extends KeyCaps {
  readonly userId: string
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly addresses: readonly string[]
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly usedAt: Instant | null
  readonly usedAddress: string | null
  readonly usedClient: string | null
}

/**
 * Returns the time of the last use of a key for replies: rounded down to the minute, but not before the key was made.
 * Returns null for an unused key.
 */
export function usedToTheMinute({ usedAt, createdAt }: Pick<ApiKey, 'usedAt' | 'createdAt'>): string | null {
  return usedAt === null ? null : toIso(instant(Math.max(usedAt - (usedAt % MINUTE_MS), createdAt)))
}

/** The hash of a key's secret, which also identifies the key in `session-ended`. */
interface Hashed {
  readonly secretHash: Uint8Array
}

type NewKey = Omit<ApiKey, 'usedAt' | 'usedAddress' | 'usedClient'> & Hashed

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx
    .insertInto('api_key')
    .values({
      user_id: key.userId,
      id: key.id,
      secret_hash: key.secretHash,
      name: key.name,
      scope: key.scope,
      addresses: [...key.addresses],
      max_stake: key.maxStake,
      max_stake_day: key.maxStakeDay,
      max_open_orders: key.maxOpenOrders,
      created_ms: key.createdAt,
      expires_ms: key.expiresAt,
    })
    .execute()
}

/** Lists the keys of a user that are in force, newest first. */
export async function listKeys(db: Db, userId: string, now: Instant): Promise<(ApiKey & Hashed)[]> {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('user_id', '=', userId)
    .where('end_reason', 'is', null)
    .where('expires_ms', '>', BigInt(now))
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...toKey(row), secretHash: row.secret_hash }))
}

/** Ends one key of a user, or all when `id` is null. Returns the hashes of the keys that ended now. */
export async function endKeys(
  tx: Db | Tx,
  { userId, id }: { readonly userId: string; readonly id: string | null },
  reason: KeyEnd,
): Promise<Uint8Array[]> {
  const rows = await tx
    .updateTable('api_key')
    .set({ end_reason: reason })
    .where('user_id', '=', userId)
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
    .where('end_reason', 'is', null)
    .returning('secret_hash')
    .execute()
  return rows.map((row) => row.secret_hash)
}

/** Ends the keys of all users. */
export async function endAllKeys(tx: Tx): Promise<void> {
  await tx.updateTable('api_key').set({ end_reason: 'restored' }).where('end_reason', 'is', null).execute()
}

/** A valid key, with the facts about its user that a request needs. */
export interface FoundKey extends ApiKey, Hashed {
  readonly username: string
  readonly verified: boolean
  readonly owesConsent: boolean
  readonly country: string | null
  readonly networks: readonly string[]
}

/**
 * Returns the key for each id, or null when no valid key has it. A block of a user ends the keys, and this query also
 * checks the block itself.
 */
export async function findKeys(db: Db, ids: readonly string[], now: Instant): Promise<(FoundKey | null)[]> {
  const { rows } = await sql<
    KeyRow & {
      secret_hash: Uint8Array
      networks: string[]
      username: string
      verified: boolean
      owes_consent: boolean
      country: string | null
    }
  >`
    select k.*, u.username, u.verified, u.terms_version < terms_to_agree() as owes_consent, nullif(u.country_code, '') as country
    from api_key k join app_user u on u.id = k.user_id
    where k.id = any(${ids}::text[]) and k.end_reason is null and k.expires_ms > ${now}::int8 and not u.sign_in_blocked
      and not exists (select from user_leave l where l.user_id = u.id and l.state = 'closed')`.execute(db)
  const byId = new Map(
    rows.map((row) => [
      row.id,
      {
        ...toKey(row),
        secretHash: row.secret_hash,
        networks: row.networks,
        username: row.username,
        verified: row.verified,
        owesConsent: row.owes_consent,
        country: row.country,
      },
    ]),
  )
  return ids.map((id) => byId.get(id) ?? null)
}

/** The maximum number of networks that are stored for a key. The user gets no notice about further networks. */
const MAX_NETWORKS = 50

/** Stores the last use of a key, and the network of the use if it is new. */
export async function noteUse(
  db: Db,
  { userId, id }: Pick<ApiKey, 'userId' | 'id'>,
  use: { readonly at: Instant; readonly address: string; readonly network: string; readonly client: string },
): Promise<void> {
  const networks: RawBuilder<string[]> =
    sql`case when ${use.network} = any(networks) or cardinality(networks) >= ${MAX_NETWORKS}
    then networks else networks || ${use.network}::text end`
  await db
    .updateTable('api_key')
    .set({ used_ms: use.at, used_address: use.address, used_client: use.client, networks })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/**
 * Stores a use of a key from an address outside its list. `MAX_FOREIGN_USES` such uses within an hour end the key.
 * Returns whether this use ended it.
 */
export async function noteForeignUse(
  db: Db,
  { userId, id }: Pick<ApiKey, 'userId' | 'id'>,
  now: Instant,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ uses: number }>`
      update api_key set foreign_ms = array(
        select at from unnest(foreign_ms || ${now}::int8) as at
        where at > ${now - FOREIGN_WINDOW_MS}::int8 order by at desc limit ${MAX_FOREIGN_USES})
      where user_id = ${userId} and id = ${id} and end_reason is null
      returning cardinality(foreign_ms) as uses`.execute(tx)
    if ((rows[0]?.uses ?? 0) < MAX_FOREIGN_USES) return false
    await endKeys(tx, { userId, id }, 'foreign')
    return true
  })
}

/** Counts the orders that each key of a user has requested since an instant, by key id. */
export async function countKeyOrders(db: Db, userId: string, since: Instant): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('key_order')
    .select(['key_id', (by) => by.fn.countAll<bigint>().as('orders')])
    .where('user_id', '=', userId)
    .where('at_ms', '>=', BigInt(since))
    .groupBy('key_id')
    .execute()
  return new Map(rows.map(({ key_id, orders }) => [key_id, Number(orders)]))
}

interface KeyRow {
  readonly user_id: string
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  readonly addresses: string[]
  readonly max_stake: bigint | null
  readonly max_stake_day: bigint | null
  readonly max_open_orders: number | null
  readonly created_ms: bigint
  readonly expires_ms: bigint
  readonly used_ms: bigint | null
  readonly used_address: string | null
  readonly used_client: string | null
}

function toKey(row: KeyRow): ApiKey {
  return {
    userId: row.user_id,
    id: row.id,
    name: row.name,
    scope: row.scope,
    addresses: row.addresses,
    maxStake: row.max_stake === null ? null : money(row.max_stake),
    maxStakeDay: row.max_stake_day === null ? null : money(row.max_stake_day),
    maxOpenOrders: row.max_open_orders,
    createdAt: instant(row.created_ms),
    expiresAt: instant(row.expires_ms),
    usedAt: row.used_ms === null ? null : instant(row.used_ms),
    usedAddress: row.used_address,
    usedClient: row.used_client,
  }
}
