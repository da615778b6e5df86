import { type Result, ok, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import {
  MAX_REFERENCE_LETTERS,
  networkOf,
  readReference,
  type ReferenceRefusal,
} from '#core/wallet/payment-reference.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import {
  type ChangedFile,
  changePaymentFile,
  type FileCall,
  lineActor,
} from '#server/payments/payment-files/change-payment-file.ts'
import {
  findAnyReference,
  findPaymentFile,
  listLines,
  type PaymentFile,
  voidFile,
} from '#server/payments/payment-files/payment-files.queries.ts'
import type { Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import { lockForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { canBeSentAt, personOf, takePaid, takeUnsent } from '#server/payments/withdrawals/pay-withdrawal.ts'
import { findPayer } from '#server/payments/withdrawals/payer.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

type OpenRefusal = 'file_unknown' | 'payment_file_over' | 'not_yours'
type FileChange<R extends string> = Promise<Result<string, R | OpenRefusal | 'request_conflict'>>

interface OfFile extends FileCall {
  readonly id: string
}

/**
 * Voids a file of which nothing was sent. All its withdrawals return to the state `approved`. Refuses when a payment of
 * the file was already recorded as paid or failed.
 */
export async function voidPaymentFile(
  ctx: Ctx,
  { id, words, ...call }: OfFile & { readonly words: string },
): FileChange<'words_needed' | 'payment_file_begun'> {
  const reason = words.trim()
  if (reason === '') return refuse('words_needed')
  const actor = lineActor(call.actor, 'unsend')
  type VoidRefusal = OpenRefusal | 'payment_file_begun'
  return changePaymentFile<VoidRefusal>(ctx, call, async (tx): Promise<Result<ChangedFile, VoidRefusal>> => {
    const opened = await lockOpenLines(ctx, tx, { id, ...call })
    if (!opened.ok) return opened
    const { file, lines } = opened.value
    if (lines.length < file.count) return refuse('payment_file_begun')
    await voidFile(tx, id, ctx.now())
    const steps: Stepped[] = []
    for (const { withdrawal } of lines)
      steps.push(await takeUnsent(ctx, tx, withdrawal, { actor, reason, data: { file: id } }))
    return ok({ id, steps, reason, after: { state: 'void', trxs: trxsOf(lines) } })
  })
}

interface Paid extends OfFile {
  readonly reference: string
  /** When the file was sent to the bank. If absent, now. */
  readonly paidAt?: Instant | undefined
}

type PaidRefusal = OpenRefusal | ReferenceRefusal | 'reference_used' | 'paid_at_invalid'

/**
 * Records as paid all payments of a file that are still in the state `paying`. Each payment gets the reference of the
 * file, followed by the number of its line.
 */
export async function markFilePaid(ctx: Ctx, { id, ...paid }: Paid): FileChange<PaidRefusal> {
  const actor = lineActor(paid.actor, 'paid')
  return changePaymentFile<PaidRefusal>(ctx, paid, async (tx): Promise<Result<ChangedFile, PaidRefusal>> => {
    const opened = await lockOpenLines(ctx, tx, { id, ...paid })
    if (!opened.ok) return opened
    const { file, lines } = opened.value
    const { methodId } = file
    const read = readReference(networkOf((await findForms(tx, [methodId])).get(methodId) ?? []), paid.reference)
    if (!read.ok) return read
    const payments = lines.map((one) => ({ ...one, reference: `${read.value}/${one.line}` }))
    const references = payments.map(({ reference }) => reference)
    if (references.some((text) => Array.from(text).length > MAX_REFERENCE_LETTERS)) return refuse('reference_form')
    const other = await findAnyReference(tx, { methodId, references })
    if (other !== null) return refuse('reference_used', { params: { trx: other } })
    const now = ctx.now()
    const sentAt = paid.paidAt ?? now
    if (!canBeSentAt(sentAt, { createdAt: file.createdAt, now })) return refuse('paid_at_invalid')
    const steps: Stepped[] = []
    for (const { withdrawal, reference } of payments) {
      const payment = { reference, sentAt, sentAmount: null, networkFee: null }
      steps.push(await takePaid(ctx, tx, withdrawal, { actor, payment, data: { file: id } }))
    }
    return ok({ id, steps, after: { state: 'done', reference: read.value, sentAt, trxs: trxsOf(lines) } })
  })
}

interface OpenLine {
  readonly line: number
  readonly withdrawal: ReviewedWithdrawal
}

/**
 * Locks the withdrawals of a file, and returns the lines that are in the state `paying`. Refuses when the actor is not
 * the payer of all of them.
 */
async function lockOpenLines(
  ctx: Ctx,
  tx: Tx,
  { id, actor }: OfFile,
): Promise<Result<{ readonly file: PaymentFile; readonly lines: OpenLine[] }, OpenRefusal>> {
  const file = await findPaymentFile(tx, id)
  if (file === null) return refuse('file_unknown')
  if (file.state !== 'open') return refuse('payment_file_over')
  const numbers = new Map((await listLines(tx, id)).map(({ trx, line }) => [trx, line]))
  const withdrawals = await lockForReview(tx, ctx.vault, [...numbers.keys()])
  const open = withdrawals.filter(({ state }) => state === 'paying')
  const foreign = open.find(({ payingBy }) => payingBy !== personOf(actor))
  if (foreign !== undefined) return refuse('not_yours', { params: { who: await findPayer(tx, foreign) } })
  const lines = open.map((withdrawal) => ({ line: numbers.get(withdrawal.trx) ?? 0, withdrawal }))
  return ok({ file, lines })
}

function trxsOf(lines: readonly OpenLine[]): string[] {
  return lines.map(({ withdrawal: { trx } }) => trx)
}
