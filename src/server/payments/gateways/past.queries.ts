import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { GatewayContent } from '#server/payments/gateways/gateways.queries.ts'

interface Past {
  readonly id: number
  readonly version: number
  readonly at: Instant
  readonly content: Pick<GatewayContent, 'walletAddress' | 'rate'>
}

/** Notes since when an address and a rate count. Lines are never changed. */
export async function insertPast(tx: Db | Tx, { id, version, at, content }: Past): Promise<void> {
  await tx
    .insertInto('gateway_past')
    .values({
      gateway_id: id,
      version,
      since_ms: at,
      wallet_address: content.walletAddress,
      rate_millionths: content.rate,
    })
    .execute()
}

export async function hasPast(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('gateway_past')
    .select('version')
    .where('gateway_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds the rate that counted at a moment. Null when the gateway is newer. */
export async function findRateAt(tx: Tx, id: number, at: Instant): Promise<bigint | null> {
  const row = await tx
    .selectFrom('gateway_past')
    .select('rate_millionths')
    .where('gateway_id', '=', id)
    .where('since_ms', '<=', BigInt(at))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.rate_millionths ?? null
}

/** A payment address and since when it counts. */
export interface PastAddress {
  readonly address: string
  readonly since: Instant
}

/** Lists the payment addresses of gateways, newest first, without repetitions of a rate change. */
export async function listPastAddresses(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, PastAddress[]>> {
  const past = new Map<number, PastAddress[]>()
  if (ids.length === 0) return past
  const rows = await db
    .selectFrom('gateway_past')
    .select(['gateway_id', 'wallet_address', 'since_ms'])
    .where('gateway_id', 'in', [...ids])
    .orderBy('version')
    .execute()
  for (const { gateway_id: id, wallet_address: address, since_ms: since } of rows) {
    const list = past.get(id) ?? []
    if (list[0]?.address !== address) past.set(id, [{ address, since: instant(since) }, ...list])
  }
  return past
}
