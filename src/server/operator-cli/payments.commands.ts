import { z } from 'zod'
import { moneyText } from '#core/money/money.ts'
import type { Result } from '#core/result.ts'
import type { WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import { type Command, defineCommand, type Said, said } from '#server/operator-cli/command.ts'
import { Trx, Words } from '#server/operator-cli/inputs.ts'
import { explain } from '#server/operator-cli/withdrawals.commands.ts'
import type { Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import {
  markFailed,
  markPaid,
  markUnsent,
  type PayRefusal,
  startPaying,
} from '#server/payments/withdrawals/pay-withdrawal.ts'
import { returnWithdrawal } from '#server/payments/withdrawals/return-withdrawal.ts'
import type { RejectRefusal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'

/** The steps of a payment at the command line. */
export const paymentsCommands: readonly Command[] = [
  defineCommand({
    name: 'withdrawals pay',
    summary: 'Begins the payment of an approved withdrawal. Nobody else pays it then.',
    takes: ['trx'],
    options: {},
    input: z.object({ trx: Trx }),
    effect: 'changes',
    run: async ({ ctx }, { trx }, actor) => tell(trx, await startPaying(ctx, { trx, actor })),
  }),
  defineCommand({
    name: 'withdrawals paid',
    summary: 'Records the payment with its reference: the held amount leaves the account, once.',
    takes: ['trx'],
    options: { reference: 'words' },
    input: z.object({ trx: Trx, reference: Words }),
    effect: 'changes',
    run: async ({ ctx }, { trx, reference }, actor) => tell(trx, await markPaid(ctx, { trx, reference, actor })),
  }),
  defineCommand({
    name: 'withdrawals unsend',
    summary: 'Ends a payment that was not sent. The withdrawal is approved as before.',
    takes: ['trx'],
    options: { words: 'words' },
    input: z.object({ trx: Trx, words: Words }),
    effect: 'changes',
    run: async ({ ctx }, { trx, words }, actor) => tell(trx, await markUnsent(ctx, { trx, words, actor })),
  }),
  defineCommand({
    name: 'withdrawals fail',
    summary:
      'Records a payment that is not possible and did not arrive: the amount is returned. The user sees --words.',
    takes: ['trx'],
    options: { words: 'words' },
    input: z.object({ trx: Trx, words: Words }),
    effect: 'changes',
    run: async ({ ctx }, { trx, words }, actor) => tell(trx, await markFailed(ctx, { trx, words, actor })),
  }),
  defineCommand({
    name: 'withdrawals return',
    summary: 'Records a payment that came back: the user gets all that was taken. The user sees --words.',
    takes: ['trx'],
    options: { words: 'words', reference: 'words' },
    input: z.object({ trx: Trx, words: Words, reference: Words }),
    effect: 'changes',
    run: async ({ ctx, settings }, { trx, words, reference }, actor) => {
      const limits = approvalLimits(settings, 'live')
      return tell(trx, await returnWithdrawal(ctx, { trx, words, reference, actor, limits }))
    },
  }),
]

const DONE: Readonly<Partial<Record<WithdrawalStep, string>>> = {
  paying: 'is being paid',
  paid: 'is paid',
  unsent: 'is to be paid again',
  failed: 'failed',
  returned: 'came back',
}

function tell(trx: string, done: Result<Stepped, RejectRefusal | PayRefusal | 'not_paid'>): Said {
  if (!done.ok) return explain(done, trx)
  const { outcome, paidOut, currency, username } = done.value
  return said(`${trx} ${DONE[outcome] ?? outcome}: ${moneyText(paidOut)} ${currency}, ${username}.`)
}
