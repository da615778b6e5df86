import { money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { readReference, type ReferenceRefusal } from '#core/wallet/payment-reference.ts'
import { type ApprovalLimits, type ApprovalRefusal, checkTwoPeople } from '#server/audit/check-dual-approval.ts'
import {
  type ByStaff,
  type ChangeRefusal,
  changeWithdrawal,
  type Stepped,
  takeStep,
} from '#server/payments/withdrawals/change-withdrawal.ts'
import { refuseLeaveOf } from '#server/payments/withdrawals/leave.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { returnTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import type { Ctx } from '#server/platform/context/context.ts'

type ReturnRefusal =
  | ChangeRefusal
  | ReferenceRefusal
  | ApprovalRefusal
  | 'not_paid'
  | 'withdrawal_decided'
  | 'words_needed'

interface Return extends ByStaff {
  readonly trx: string
  /** A text that the user reads. */
  readonly words: string
  /** The reference of the payment that came back. */
  readonly reference: string
  readonly limits: ApprovalLimits
}

/**
 * Records that a payment came back. The user gets the whole amount back, including the fees. Amounts over the limit
 * need two approvers.
 */
export async function returnWithdrawal(
  ctx: Ctx,
  { trx, words, reference: typed, limits, ...staff }: Return,
): Promise<Result<Stepped, ReturnRefusal>> {
  if (words.trim() === '') return refuse('words_needed')
  const reference = readReference(null, typed)
  if (!reference.ok) return reference
  return changeWithdrawal<ReturnRefusal>(
    ctx,
    { trx, staff },
    {
      check: ({ state }) => {
        if (state === 'returned') return refuse('withdrawal_decided', { params: { state } })
        return state === 'paid' ? null : refuse('not_paid')
      },
      take: async (tx, one) => {
        const { actor } = staff
        const at = ctx.now()
        if (one.amount > limits.twoPeopleAbove) {
          const contentHash = withdrawalHash(one)
          // The amount is 0, because the money only returns to the user and must not count towards the limits.
          const content = {
            kind: 'return',
            subject: trx,
            contentHash,
            actor,
            userId: one.userId,
            amount: money(0n),
          } as const
          const admitted = await checkTwoPeople(tx, ctx, { ...content, mode: limits.mode })
          if (admitted === 'first') return ok(await takeStep(ctx, tx, one, { step: 'first_return', at, actor }))
          if (admitted !== 'decide') return admitted
        }
        await refuseLeaveOf(tx, one, { at, againAt: at })
        const data = { reference: reference.value }
        const step = { step: 'returned', at, actor, words: words.trim(), data, change: { returnedAt: at } } as const
        return ok(await takeStep(ctx, tx, one, { ...step, transfers: returnTransfers(one) }))
      },
    },
  )
}
