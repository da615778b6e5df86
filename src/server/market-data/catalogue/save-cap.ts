import { hasCap } from '#core/markets/caps/caps.ts'
import { type CapSubject, capSubjectText, NO_CAP } from '#core/markets/terms/cap-subject.ts'
import { firstAbove, maxStakeOrders } from '#core/markets/caps/max-stake-orders.ts'
import type { Mode } from '#core/markets/terms/terms-limits.ts'
import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { addAnnouncement, lockedHistory } from '#server/market-data/catalogue/announce-terms.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { livingNodes, type Presence } from '#server/platform/cluster/lease.queries.ts'
import { LEASE_MS } from '#server/platform/cluster/leases.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { currentHalt } from '#server/register/halts.queries.ts'

interface CapEdit extends CapSubject {
  /** Null removes the cap. */
  readonly maximum: Money | null
  /** The number of the cap's newest entry that the staff member saw. Zero when there was none. */
  readonly seenN: number
  readonly reason: string
  /** Whether the staff member accepts a cap that is too low for even one order with the largest stake. */
  readonly isConfirmed: boolean
  readonly actor: Actor
}

type CapRefusal =
  | 'cap_invalid'
  | 'cap_below_one_order'
  | 'caps_one_server'
  | 'changed_meanwhile'
  | 'reason_needed'
  | 'terms_not_logged'

/**
 * Announces a cap for new orders of all users, or its end. The cap is in force as soon as the register has published it. Open orders are not
 * touched. Caps are counted in the memory of the server that takes orders, so no cap can be set while two servers do.
 */
export async function saveCap(
  ctx: Ctx,
  { catalogue, mode }: { readonly catalogue: MarketCatalogue; readonly mode: Mode },
  { scope, key, maximum, seenN, reason, isConfirmed, actor }: CapEdit,
): Promise<Result<{ readonly version: number; readonly appliesAt: Instant }, CapRefusal>> {
  if (reason === '') return refuse('reason_needed')
  const of = capSubjectText({ scope, key })
  const announcement = { what: 'cap', of, value: maximum === null ? NO_CAP : String(maximum), appliesAt: null } as const
  const above = maximum === null ? null : firstAbove(maxStakeOrders(catalogue.settings), maximum)
  const saved = await ctx.db.transaction().execute(async (tx) => {
    if ((await currentHalt(tx)) !== null) return refuse('terms_not_logged')
    const history = await lockedHistory(tx)
    const newest = history.steps('cap', of).at(-1)
    if ((newest?.n ?? 0) !== seenN) {
      return await staleWriteRefusal(tx, { target: targetOf(of), seenVersion: seenN, actor })
    }
    if (maximum === null && (newest?.value ?? NO_CAP) === NO_CAP) return refuse('cap_invalid')
    if (maximum !== null && (await takerNames(tx)).size > 1) return refuse('caps_one_server')
    if (above !== null && !isConfirmed) {
      return refuse('cap_below_one_order', { params: { seconds: above.seconds } })
    }
    const added = await addAnnouncement(ctx, tx, { history, mode, announcement })
    if (!added.ok) return refuse('cap_invalid')
    const { n, value, appliesAt } = added.value
    await recordAction(tx, ctx, actor, {
      target: targetOf(of),
      outcome: 'done',
      reason,
      before: { version: seenN, value: newest?.value ?? NO_CAP },
      after: { version: n, value, appliesAt },
    })
    return ok({ version: n, appliesAt })
  })
  if (!saved.ok) return saved
  await catalogue.reload()
  ctx.publish({ kind: 'markets-changed' })
  return saved
}

/**
 * Whether this server may not take orders, because a cap is set and another server takes orders. This server must be registered as a
 * live node before the call. The lock orders concurrent starts and new caps, so the later one sees the earlier one.
 */
export async function isSecondTaker(ctx: Pick<Ctx, 'db' | 'now'>, name: string): Promise<boolean> {
  return await ctx.db.transaction().execute(async (tx) => {
    const history = await lockedHistory(tx)
    if (!hasCap(history, ctx.now())) return false
    const names = await takerNames(tx)
    names.delete(name)
    return names.size > 0
  })
}

/** The names of the live servers that take orders. A server that replaces another one under the same name counts once. */
async function takerNames(db: Db): Promise<Set<Presence['name']>> {
  const nodes = await livingNodes(db, LEASE_MS)
  return new Set(nodes.flatMap(({ name, roles }) => (roles.includes('api') ? [name] : [])))
}

function targetOf(of: string): string {
  return `cap ${of}`
}
