import { join } from 'node:path'
import { z } from 'zod'
import { formatDecimal } from '#core/money/decimal.ts'
import { moneyText } from '#core/money/money.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Refusal } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { type Command, defineCommand, refused, type Said, said } from '#server/operator-cli/command.ts'
import { RowLimit, Trx, Words } from '#server/operator-cli/inputs.ts'
import { facts, table } from '#server/operator-cli/table.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import type { DecideRefusal } from '#server/payments/deposits/decide-deposit.ts'
import type { DepositStatus } from '#server/payments/deposits/deposits.queries.ts'
import { findForReview, listForReview, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { uploadFolder } from '#server/platform/uploads/upload-folder.ts'

const STATUS: Readonly<Record<DepositStatus, string>> = { 1: 'credited', 2: 'pending', 3: 'rejected' }

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
      const headings = ['Reference', 'Status', 'User', 'Gateway', 'To be paid', 'Credited', 'Requested at']
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
    name: 'deposits approve',
    summary: 'Approves a deposit and credits the quoted amount, once. The user sees the remark.',
    takes: ['trx'],
    options: { remark: 'words' },
    input: z.object({ trx: Trx, remark: Words.optional() }),
    effect: 'changes',
    run: async ({ ctx, settings }, { trx, remark }, actor) => {
      const done = await approveDeposit(ctx, { trx, remark, actor, limits: approvalLimits(settings, 'live') })
      if (!done.ok) return explain(done, trx)
      const { credited, username } = done.value
      return said(`${trx} is approved: ${moneyText(credited)} ${BASE_CURRENCY} credited to ${username}.`)
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
  const { trx, status, username, method, total, currency, credited, createdAt } = deposit
  return [
    trx,
    STATUS[status],
    username,
    method,
    `${moneyText(total)} ${currency}`,
    moneyText(credited),
    toIso(createdAt),
  ]
}

function describe(deposit: ReviewedDeposit, dataDir: string): string[] {
  const { currency } = deposit
  const lines = facts([
    ['Reference', deposit.trx],
    ['Status', STATUS[deposit.status]],
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

function explain({ refusal, params }: Refusal<DecideRefusal>, trx: string): Said {
  if (refusal === 'deposit_unknown') return refused(`There is no deposit ${trx}.`)
  if (refusal === 'second_person_needed')
    return refused(
      `${trx} is above the limit for one approver. Approve it in the back office, which asks for two. Nothing was changed.`,
    )
  return refused(`${trx} was already ${params?.['status'] === 1 ? 'credited' : 'rejected'}. Nothing was changed.`)
}
