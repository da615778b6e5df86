import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { GatewayContent } from '#server/payments/gateways/gateways.queries.ts'

interface Past {
  readonly id: number
  readonly version: number
  readonly at: Instant
  readonly content: Pick<GatewayContent, 'walletAddress' | 'rate'>
}

/** Stores since when an address and a rate have been in effect. Stored rows are never changed. */
export async function insertPast(tx: Tx, { id, version, at, content }: Past): Promise<void> {
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

/** Lists since when each address of each gateway was in effect, oldest first. */
export async function listPastAddresses(
  db: Db,
): Promise<ReadonlyMap<number, readonly { readonly since: Instant; readonly address: string }[]>> {
  const rows = await db
    .selectFrom('gateway_past')
    .select(['gateway_id', 'since_ms', 'wallet_address'])
    .orderBy('gateway_id')
    .orderBy('version')
    .execute()
  const past = new Map<number, { since: Instant; address: string }[]>()
  for (const { gateway_id: id, since_ms: since, wallet_address: address } of rows) {
    past.set(id, [...(past.get(id) ?? []), { since: instant(since), address }])
  }
  return past
}

/**
 * Finds the rate that was in effect at an instant, or the oldest stored rate when the gateway is newer. Returns null
 * when no rate is stored, because the rate has never changed since the first start.
 */
export async function findRateAt(tx: Tx, id: number, at: Instant): Promise<bigint | null> {
  const stored = tx.selectFrom('gateway_past').select('rate_millionths').where('gateway_id', '=', id).limit(1)
  const row =
    (await stored.where('since_ms', '<=', BigInt(at)).orderBy('version', 'desc').executeTakeFirst()) ??
    (await stored.orderBy('version').executeTakeFirst())
  return row?.rate_millionths ?? null
}
