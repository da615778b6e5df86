import { join } from 'node:path'
import { z } from 'zod'
import { formatDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Refusal } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, type Said, said } from '#server/operator-cli/command.ts'
import { RowLimit, Trx, Words } from '#server/operator-cli/inputs.ts'
import { facts, table } from '#server/operator-cli/table.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import { arrivedFor } from '#server/payments/deposits/arrived.ts'
import { recordArrival, type RecordRefusal } from '#server/payments/deposits/record-arrival.ts'
import { storedRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { arrivedText } from '#core/wallet/arrival-credit.ts'
import { type ApproveRefusal, approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import { findForReview, listForReview, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { uploadFolder } from '#server/platform/uploads/upload-folder.ts'

export const depositsCommands: readonly Command[] = [
  defineCommand({
    name: 'deposits list',
    summary: 'Lists deposits, newest first. --pending: only pending ones, oldest first.',
    takes: [],
    options: { pending: 'flag', limit: 'words' },
    input: z.object({ pending: z.boolean().default(false), limit: RowLimit }),
    effect: 'looks',
    run: async ({ ctx }, { pending, limit }) => {
      const deposits = await listForReview(ctx.db, { pending, limit })
      if (deposits.length === 0) return said(pending ? 'No pending deposits.' : 'No deposits yet.')
      const headings = ['Reference', 'State', 'User', 'Gateway', 'To be paid', 'Credited', 'Requested at']
      return said(...table(headings, deposits.map(toRow)))
    },
  }),
  defineCommand({
    name: 'deposits show',
    summary: 'Shows one deposit with the details from its user.',
    takes: ['trx'],
    options: {},
    input: z.object({ trx: Trx }),
    effect: 'looks',
    run: async ({ ctx, dataDir }, { trx }) => {
      const deposit = await findForReview(ctx.db, trx)
      return deposit ? said(...describe(deposit, dataDir)) : refused(`There is no deposit ${trx}.`)
    },
  }),
  defineCommand({
    name: 'deposits arrived',
    summary:
      'Records what arrived for a deposit, with --amount, --reference and the time --seen (default: now). Inside a quote that is over it needs a --reason. Credits nothing.',
    takes: ['trx'],
    options: { amount: 'words', reference: 'words', seen: 'words', reason: 'words' },
    input: z.object({
      trx: Trx,
      amount: Words,
      reference: Words,
      seen: z.iso.datetime().optional(),
      reason: Words.optional(),
    }),
    effect: 'changes',
    run: async ({ ctx }, { trx, amount, reference, seen, reason = '' }, actor) => {
      const seenAt = seen === undefined ? ctx.now() : instant(Date.parse(seen))
      const parts = { ctx, rateAt: storedRateAt }
      const done = await recordArrival(parts, { trx, amount, reference, seenAt, reason, actor })
      if (!done.ok) return explain(done, trx)
      const { credits, charges, sum } = arrivedFor(done.value.deposit)
      const { currency } = done.value.deposit
      return said(
        `${arrivedText(sum, currency)} ${currency} arrived for ${trx}. ${moneyText(credits)} ${BASE_CURRENCY} will be credited, ${moneyText(charges)} is the charge.`,
      )
    },
  }),
  defineCommand({
    name: 'deposits approve',
    summary: 'Approves a deposit and credits what arrived, once. The user sees the remark.',
    takes: ['trx'],
    options: { remark: 'words' },
    input: z.object({ trx: Trx, remark: Words.optional() }),
    effect: 'changes',
    run: async ({ ctx, settings }, { trx, remark }, actor) => {
      const done = await approveDeposit(ctx, { trx, remark, actor, limits: approvalLimits(settings, 'live') })
      if (!done.ok) return explain(done, trx)
      const { creditedNow, username } = done.value
      return said(`${trx} is approved: ${moneyText(creditedNow)} ${BASE_CURRENCY} credited to ${username}.`)
    },
  }),
  defineCommand({
    name: 'deposits reject',
    summary: 'Rejects a deposit. The user sees the message given in --words.',
    takes: ['trx'],
    options: { words: 'words' },
    input: z.object({ trx: Trx, words: Words }),
    effect: 'changes',
    run: async ({ ctx }, { trx, words }, actor) => {
      const done = await rejectDeposit(ctx, { trx, words, actor })
      return done.ok ? said(`${trx} is rejected. ${done.value.username} sees: ${words}`) : explain(done, trx)
    },
  }),
]

function toRow(deposit: ReviewedDeposit): string[] {
  const { trx, state, username, method, total, currency, credited, createdAt } = deposit
  return [trx, state, username, method, `${moneyText(total)} ${currency}`, moneyText(credited), toIso(createdAt)]
}

function describe(deposit: ReviewedDeposit, dataDir: string): string[] {
  const { currency } = deposit
  const lines = facts([
    ['Reference', deposit.trx],
    ['State', deposit.state],
    ['User', deposit.username],
    ['Gateway', deposit.method],
    ['Amount', `${moneyText(deposit.amount)} ${currency}`],
    ['Fees', `${moneyText(deposit.charge)} ${currency}`],
    ['To be paid', `${moneyText(deposit.total)} ${currency}`],
    ['Rate', `1 ${currency} = ${formatDecimal(deposit.rate, 6)} ${BASE_CURRENCY}`],
    ['Credited', `${moneyText(deposit.credited)} ${BASE_CURRENCY}`],
    ['Requested at', toIso(deposit.createdAt)],
    ['Decided at', deposit.decidedAt === null ? 'not yet' : toIso(deposit.decidedAt)],
    ['Message to user', deposit.feedback || 'none'],
  ])
  const files = Object.entries(deposit.files)
  const paths = files.map(([label, name]) => [label, join(uploadFolder(dataDir), name)] as const)
  const filledIn = [...Object.entries(deposit.fields), ...paths]
  return filledIn.length === 0 ? lines : [...lines, '', 'Details from the user', ...facts(filledIn)]
}

/** The refusals that need no more words than these. */
const WHY: Readonly<Partial<Record<ApproveRefusal | RecordRefusal, string>>> = {
  arrival_missing: 'Nothing that arrived waits for an approval. Record it first: deposits arrived.',
  nothing_to_credit: 'The charges leave nothing of what arrived.',
  amount_invalid: 'The amount is no plain number above 0 with the decimals of the currency.',
  seen_at_invalid: 'The time must lie between a week before the request and now.',
  reason_needed: 'The quote is over. Give a --reason for a time inside it.',
  reference_needed: 'Give the reference of the payment.',
  reference_form: 'The reference has letters that cannot be printed, or is too long.',
  reference_used: 'This reference is recorded already.',
  rate_unavailable: 'The rate of that moment is unknown here. Use the back office.',
}

function explain({ refusal, params }: Refusal<ApproveRefusal | RecordRefusal>, trx: string): Said {
  const why = WHY[refusal]
  if (why !== undefined) return refused(`${why} Nothing was changed.`)
  if (refusal === 'deposit_unknown') return refused(`There is no deposit ${trx}.`)
  if (refusal === 'second_person_needed')
    return refused(
      `${trx} is above the limit for one approver. Approve it in the back office, which asks for two. Nothing was changed.`,
    )
  return refused(`${trx} was already ${params?.['status'] === 1 ? 'credited' : 'rejected'}. Nothing was changed.`)
}
