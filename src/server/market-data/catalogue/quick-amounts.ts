import type { Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** 12 buttons: more do not fit on the screen of a phone. */
const MAX_AMOUNTS = 12
const OWN_IDS_FROM = 1_001

type AmountRefusal = 'amount_taken'

interface Edit {
  readonly id: number
  readonly version: number
  readonly actor: Actor
}

/** Lists the amounts of the order form's buttons, smallest first. */
export async function listQuickAmounts(db: Db, after: bigint | null, limit: number) {
  return await db
    .selectFrom('quick_amount')
    .selectAll()
    .$if(after !== null, (all) => all.where('amount', '>', after ?? 0n))
    .orderBy('amount')
    .limit(limit)
    .execute()
}

/** Adds an amount button to the order form. */
export async function addQuickAmount(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { amount, actor }: { readonly amount: Money; readonly actor: Actor },
): Promise<Result<{ readonly id: number }, AmountRefusal | 'too_many_amounts'>> {
  const added = await ctx.db.transaction().execute(async (tx) => {
    const all = await lockAll(tx)
    if (all.length >= MAX_AMOUNTS) return refuse('too_many_amounts', { params: { count: MAX_AMOUNTS } })
    if (all.some((one) => one.amount === amount)) return refuse('amount_taken')
    const id = Math.max(OWN_IDS_FROM, ...all.map((one) => one.id + 1))
    await tx.insertInto('quick_amount').values({ id, amount }).execute()
    await recordAction(tx, ctx, actor, {
      target: targetOf(id),
      outcome: 'done',
      after: { version: 1, amount: String(amount) },
    })
    return ok({ id })
  })
  if (added.ok) await tell(ctx, catalogue)
  return added
}

export async function changeQuickAmount(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { id, version, amount, actor }: Edit & { readonly amount: Money },
): Promise<Result<{ readonly version: number }, AmountRefusal | 'not_found' | 'changed_meanwhile'>> {
  const saved = await ctx.db.transaction().execute(async (tx) => {
    const all = await lockAll(tx)
    const stored = all.find((one) => one.id === id)
    if (!stored) return refuse('not_found')
    if (stored.version !== version) return staleWriteRefusal(tx, { target: targetOf(id), seenVersion: version, actor })
    if (all.some((one) => one.id !== id && one.amount === amount)) return refuse('amount_taken')
    const next = version + 1
    await tx.updateTable('quick_amount').set({ amount, version: next }).where('id', '=', id).execute()
    await recordAction(tx, ctx, actor, {
      target: targetOf(id),
      outcome: 'done',
      before: { version, amount: String(stored.amount) },
      after: { version: next, amount: String(amount) },
    })
    return ok({ version: next })
  })
  if (saved.ok) await tell(ctx, catalogue)
  return saved
}

export async function removeQuickAmount(
  ctx: Ctx,
  catalogue: MarketCatalogue,
  { id, version, actor }: Edit,
): Promise<Result<null, 'not_found' | 'changed_meanwhile'>> {
  const removed = await ctx.db.transaction().execute(async (tx) => {
    const stored = (await lockAll(tx)).find((one) => one.id === id)
    if (!stored) return refuse('not_found')
    if (stored.version !== version) return staleWriteRefusal(tx, { target: targetOf(id), seenVersion: version, actor })
    await tx.deleteFrom('quick_amount').where('id', '=', id).execute()
    await recordAction(tx, ctx, actor, {
      target: targetOf(id),
      outcome: 'done',
      before: { version, amount: String(stored.amount) },
      after: { version: version + 1, amount: null },
    })
    return ok(null)
  })
  if (removed.ok) await tell(ctx, catalogue)
  return removed
}

const targetOf = (id: number): string => `quick amount ${id}`

async function lockAll(tx: Tx) {
  return await tx.selectFrom('quick_amount').selectAll().orderBy('id').forUpdate().execute()
}

async function tell(ctx: Ctx, catalogue: MarketCatalogue): Promise<void> {
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
}
