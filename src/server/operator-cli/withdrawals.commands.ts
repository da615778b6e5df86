import { z } from 'zod'
import { formatDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { dueAt, REJECTION_CODES } from '#core/wallet/withdrawal-deadline.ts'
import type { Refusal } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, type Said, said } from '#server/operator-cli/command.ts'
import { RowLimit, Trx, Words } from '#server/operator-cli/inputs.ts'
import { facts, table } from '#server/operator-cli/table.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import {
  findForReview,
  listForReview,
  type ReviewedWithdrawal,
} from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import type { PayRefusal } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { rejectWithdrawal, type RejectRefusal } from '#server/payments/withdrawals/reject-withdrawal.ts'

export const withdrawalsCommands: readonly Command[] = [
  defineCommand({
    name: 'withdrawals list',
    summary: 'Lists withdrawals, newest first. --pending: only pending ones, oldest first.',
    takes: [],
    options: { pending: 'flag', limit: 'words' },
    input: z.object({ pending: z.boolean().default(false), limit: RowLimit }),
    effect: 'looks',
    run: async ({ ctx }, { pending, limit }) => {
      const withdrawals = await listForReview(ctx.db, ctx.vault, { pending, limit })
      if (withdrawals.length === 0) return said(pending ? 'No pending withdrawals.' : 'No withdrawals yet.')
      const headings = ['Reference', 'State', 'User', 'Method', 'Held', 'To be paid', 'Requested at']
      return said(...table(headings, withdrawals.map(toRow)))
    },
  }),
  defineCommand({
    name: 'withdrawals show',
    summary: 'Shows one withdrawal with its payment details.',
    takes: ['trx'],
    options: {},
    input: z.object({ trx: Trx }),
    effect: 'looks',
    run: async ({ ctx }, { trx }) => {
      const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
      return withdrawal ? said(...describe(withdrawal)) : unknown(trx)
    },
  }),
  defineCommand({
    name: 'withdrawals approve',
    summary: 'Approves a withdrawal, so that it may be paid. --reason: why, when it looks like a duplicate.',
    takes: ['trx'],
    options: { reason: 'words' },
    input: z.object({ trx: Trx, reason: z.string().default('') }),
    effect: 'changes',
    run: async ({ ctx, settings }, { trx, reason }, actor) => {
      const done = await approveWithdrawal(ctx, { trx, reason, actor, limits: approvalLimits(settings, 'live') })
      if (!done.ok) return explain(done, trx)
      const { paidOut, currency, username } = done.value
      return said(`${trx} is approved: ${moneyText(paidOut)} ${currency} may be paid to ${username}.`)
    },
  }),
  defineCommand({
    name: 'withdrawals reject',
    summary: `Rejects a withdrawal and returns the amount. The user sees --words and --reason (${REJECTION_CODES.join(', ')}).`,
    takes: ['trx'],
    options: { words: 'words', reason: 'words' },
    input: z.object({ trx: Trx, words: Words, reason: z.enum(REJECTION_CODES) }),
    effect: 'changes',
    run: async ({ ctx }, { trx, words, reason: reasonCode }, actor) => {
      const done = await rejectWithdrawal(ctx, { trx, words, reasonCode, actor, mode: 'live' })
      if (!done.ok) return explain(done, trx)
      const { amount, username } = done.value
      return said(
        `${trx} is rejected: ${moneyText(amount)} ${BASE_CURRENCY} returned. ${username} sees: ${words.trim()}`,
      )
    },
  }),
]

function toRow(withdrawal: ReviewedWithdrawal): string[] {
  const { trx, username, method, amount, paidOut, currency, createdAt } = withdrawal
  const figures = [moneyText(amount), `${moneyText(paidOut)} ${currency}`]
  return [trx, withdrawal.state, username, method, ...figures, toIso(createdAt)]
}

function describe(withdrawal: ReviewedWithdrawal): string[] {
  const { currency } = withdrawal
  const lines = facts([
    ['Reference', withdrawal.trx],
    ['State', withdrawal.state],
    ['Payment reference', withdrawal.reference ?? 'none'],
    ['User', withdrawal.username],
    ['Method', withdrawal.method],
    ['Held', `${moneyText(withdrawal.amount)} ${BASE_CURRENCY}`],
    ['Fees', `${moneyText(withdrawal.charge)} ${BASE_CURRENCY}`],
    ['Rate', `1 ${currency} = ${formatDecimal(withdrawal.rate, 6)} ${BASE_CURRENCY}`],
    ['To be paid', `${moneyText(withdrawal.paidOut)} ${currency}`],
    ['Requested at', toIso(withdrawal.createdAt)],
    ['To be paid by', toIso(dueAt(withdrawal.clockAt))],
    ['Reason', withdrawal.reasonCode ?? 'none'],
    ['Decided at', withdrawal.decidedAt === null ? 'not yet' : toIso(withdrawal.decidedAt)],
    ['Message to user', withdrawal.feedback || 'none'],
  ])
  const payTo = Object.entries(withdrawal.details)
  return payTo.length === 0 ? lines : [...lines, '', 'Pay to', ...facts(payTo)]
}

function unknown(trx: string): Said {
  return refused(`There is no withdrawal ${trx}.`)
}

/** Returns the text that explains why a step was refused. */
export function explain({ refusal, params = {} }: Refusal<RejectRefusal | PayRefusal | 'not_paid'>, trx: string): Said {
  const who = String(params['who'] ?? '')
  const state = String(params['state'] ?? '')
  const two = `${trx} needs two approvers. Decide it in the back office, which asks for two.`
  const why: Readonly<Partial<Record<typeof refusal, string>>> = {
    identity_not_needed: 'The amount is not above the deposits of the user, so it needs no identity check.',
    second_person_needed: two,
    // The next two refusals concern the withdrawal of a user who is leaving the site.
    reason_not_allowed: two,
    again_needed: two,
    reason_needed: `Give a --reason for ${trx}.`,
    words_needed: 'Give --words.',
    withdrawal_being_paid: `${trx} is being paid${who === '' ? '' : ` by ${who}`}.`,
    withdrawal_decided: `The state of ${trx} is “${state}”.`,
    not_approved: `${trx} is not approved.`,
    not_being_paid: `${trx} is not being paid.`,
    not_yours: `${who} pays ${trx}.`,
    not_paid: `${trx} is not paid.`,
    in_payment_file: `${trx} is in a payment file. Void the whole file in the back office if nothing of it was sent.`,
    ledger_unclean: `The last check of the ledger found a mismatch, so ${trx} cannot be paid now. See npm run ledger:check.`,
    destination_invalid: `The destination of ${trx} does not satisfy the rules of its method.`,
    reference_needed: 'Give the --reference of the payment.',
    reference_form: 'This is no reference of this network.',
    reference_used: `This reference belongs to ${String(params['trx'] ?? '')}.`,
  }
  if (refusal === 'withdrawal_unknown') return unknown(trx)
  return refused(`${why[refusal] ?? `${trx} has already been decided.`} Nothing was changed.`)
}
