import { type SelfLimitKey, windowRefusal } from '#core/accounts/self-limits.ts'
import { type Money, moneyText, ZERO } from '#core/money/money.ts'
import { assert, type Refusal, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { ClosedRefusal } from '#core/accounts/closing.ts'
import type { AcceptRow } from '#server/trading/engine/accept.queries.ts'
import type { OrderRefusal } from '#server/trading/engine/engine.ts'

/** The outcomes that the user's own limits and breaks cause. */
export type OwnRuleOutcome = Extract<
  AcceptRow['outcome'],
  'self_stake_max' | 'self_loss_limit' | 'self_staked_limit' | 'no_mark' | 'on_break'
>

const OUTCOMES: readonly string[] = [
  'self_stake_max',
  'self_loss_limit',
  'self_staked_limit',
  'no_mark',
  'on_break',
] satisfies OwnRuleOutcome[]

export function isOwnRule(outcome: AcceptRow['outcome']): outcome is OwnRuleOutcome {
  return OUTCOMES.includes(outcome)
}

/**
 * Returns the refusal of an order by the user's own limits, break or account closure. Returns null when the order fits
 * after all, because earlier orders of the batch counted in the running total but were refused.
 */
export async function ownRuleRefusal(
  outcome: OwnRuleOutcome,
  { own, stake }: { readonly own: AcceptRow['own']; readonly stake: Money },
  find: {
    readonly closed: () => Promise<ClosedRefusal | null>
    readonly freesAt: (key: SelfLimitKey) => Promise<Instant | null>
  },
): Promise<Refusal<OrderRefusal> | null> {
  switch (outcome) {
    case 'on_break':
      // If `closed` returns null, the break has ended in the meantime, so the user may try again.
      return (await find.closed()) ?? refuse('busy')
    case 'self_stake_max':
      return refuse('self_stake_max', { params: { value: moneyText(own?.stakeMax ?? ZERO) } })
    case 'no_mark':
      return refuse('busy')
    default: {
      const room = outcome === 'self_loss_limit' ? own?.loss : own?.staked
      assert(room, 'a refusal by a window names the window')
      if (stake <= room.left) return null
      return windowRefusal(outcome, { ...room, freesAt: await find.freesAt(room.key) })
    }
  }
}
