import { type BasisPoints, type Money, ZERO } from '#core/money/money.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import {
  isDurationTaken,
  lockTerms,
  recordedTerms,
  termsTarget,
} from '#server/market-data/catalogue/trade-terms.queries.ts'

interface Stakes {
  readonly seconds: number
  readonly minimum: Money
  readonly maximum: Money
}

/** Lower ids are reserved for terms shipped with the program. */
const OWN_IDS_FROM = 1_001

/** Offers a new order duration. Its first payout needs no notice, because no earlier payout exists. */
export async function addTradeTerms(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { seconds, minimum, maximum, payout, actor }: Stakes & { readonly payout: BasisPoints; readonly actor: Actor },
): Promise<Result<{ readonly id: number }, 'length_taken' | 'stakes_crossed'>> {
  if (minimum <= ZERO || minimum > maximum) return refuse('stakes_crossed')
  const added = await ctx.db.transaction().execute(async (tx) => {
    if (await isDurationTaken(tx, seconds, null)) return refuse('length_taken')
    const { newest } = await tx
      .selectFrom('trade_setting')
      .select(({ fn }) => fn.max('id').as('newest'))
      .executeTakeFirstOrThrow()
    const id = Math.max(OWN_IDS_FROM, (newest ?? 0) + 1)
    const row = { id, seconds, unit: unitOfSeconds(seconds), min_amount: minimum, max_amount: maximum }
    await tx.insertInto('trade_setting').values(row).execute()
    const now = ctx.now()
    const first = { trade_setting_id: id, version: 1, profit_basis_points: payout, who: actor.who }
    await tx
      .insertInto('payout_version')
      .values({ ...first, applies_from_ms: now, announced_ms: now })
      .execute()
    await recordAction(tx, ctx, actor, {
      target: termsTarget(id),
      outcome: 'done',
      after: { version: 1, ...recordedTerms({ ...row, is_offered: true, version: 1 }), payout },
    })
    return ok({ id })
  })
  if (!added.ok) return added
  await tell(ctx, catalogue)
  return added
}

/** Changes duration, stakes or whether the terms are offered. Orders keep the terms they were opened with. */
export async function editTradeTerms(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  edit: Stakes & { readonly id: number; readonly version: number; readonly isOffered: boolean; readonly actor: Actor },
): Promise<
  Result<{ readonly version: number }, 'not_found' | 'changed_meanwhile' | 'length_taken' | 'stakes_crossed'>
> {
  const { id, version, seconds, minimum, maximum, isOffered, actor } = edit
  if (minimum <= ZERO || minimum > maximum) return refuse('stakes_crossed')
  const saved = await ctx.db.transaction().execute(async (tx) => {
    const isTaken = await isDurationTaken(tx, seconds, id)
    const stored = await lockTerms(tx, id)
    if (!stored) return refuse('not_found')
    if (stored.version !== version)
      return staleWriteRefusal(tx, { target: termsTarget(id), seenVersion: version, actor })
    if (isTaken) return refuse('length_taken')
    const next = version + 1
    const row = { seconds, min_amount: minimum, max_amount: maximum, is_offered: isOffered, version: next }
    await tx
      .updateTable('trade_setting')
      .set({ ...row, unit: unitOfSeconds(seconds) })
      .where('id', '=', id)
      .execute()
    await recordAction(tx, ctx, actor, {
      target: termsTarget(id),
      outcome: 'done',
      before: { version, ...recordedTerms(stored) },
      after: { version: next, ...recordedTerms({ ...stored, ...row }) },
    })
    return ok({ version: next })
  })
  if (!saved.ok) return saved
  await tell(ctx, catalogue)
  return saved
}

async function tell(ctx: Ctx, catalogue: MarketCatalogue): Promise<void> {
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
}
