import type { PaymentEvidence } from '#contract/back-office/tickets.ts'
import { moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { findDecider } from '#server/audit/deciders.ts'
import { CREDITED, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { findForReview as findDeposit } from '#server/payments/deposits/review.queries.ts'
import { findForReview as findWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { listWithdrawalEvents } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Returns the steps of a deposit: its request and, once made, its decision. Returns null for an unknown deposit. */
export async function depositEvidence({ db }: Ctx, trx: string): Promise<PaymentEvidence | null> {
  const deposit = await findDeposit(db, trx)
  if (deposit === null) return null
  const { status, createdAt, decidedAt, feedback } = deposit
  const requested = { step: 'requested', at: toIso(createdAt), who: '', words: '' } as const
  const decided =
    status === PENDING || decidedAt === null
      ? []
      : [
          {
            step: status === CREDITED ? ('credited' as const) : ('rejected' as const),
            at: toIso(decidedAt),
            who: (await findDecider(db, trx))?.who ?? '',
            words: feedback,
          },
        ]
  const amount = moneyNumber(deposit.credited)
  return { trx, method: deposit.method, amount, reference: null, steps: [requested, ...decided] }
}

/** Returns the steps of a withdrawal, with the reference of its payment. Returns null for an unknown withdrawal. */
export async function withdrawalEvidence({ db, vault }: Ctx, trx: string): Promise<PaymentEvidence | null> {
  const withdrawal = await findWithdrawal(db, vault, trx)
  if (withdrawal === null) return null
  const events = (await listWithdrawalEvents(db, [withdrawal])).get(withdrawal.id) ?? []
  const { method, amount, reference } = withdrawal
  const steps = events.map(({ step, at, who, words }) => ({ step, at: toIso(at), who, words }))
  return { trx, method, amount: moneyNumber(amount), reference, steps }
}
