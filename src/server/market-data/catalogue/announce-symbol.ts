import type { Mode } from '#core/markets/terms/terms-limits.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { addAnnouncement, lockedHistory } from '#server/market-data/catalogue/announce-terms.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface NewSymbol {
  readonly code: string
  /** The maximum age, in ms, of a price that an order may use. */
  readonly maxTickAgeMs: number
  readonly mode: Mode
}

/**
 * Announces the maximum price age and the listing of a new symbol. Returns the moment from which the symbol is listed.
 */
export async function announceSymbol(
  ctx: Pick<Ctx, 'newId' | 'now'>,
  tx: Tx,
  { code, maxTickAgeMs, mode }: NewSymbol,
): Promise<Instant> {
  const age = { what: 'max_tick_age', of: code, value: String(maxTickAgeMs), appliesAt: null } as const
  const first = await addAnnouncement(ctx, tx, { history: await lockedHistory(tx), mode, announcement: age })
  assert(first.ok, 'the price age of a new symbol is within its limits')
  const listing = { what: 'symbol', of: code, value: 'open', appliesAt: null } as const
  const second = await addAnnouncement(ctx, tx, { history: await lockedHistory(tx), mode, announcement: listing })
  assert(second.ok, 'a symbol of this installation can be listed')
  return second.value.appliesAt
}
