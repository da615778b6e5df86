import { createHash } from 'node:crypto'
import { money, moneyText } from '#core/money/money.ts'
import { assert, type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { isPayable } from '#core/wallet/method-details.ts'
import { isLedgerUnclean } from '#server/ledger/reconciliation/save-result.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import {
  type ChangedFile,
  changePaymentFile,
  type FileCall,
  lineActor,
} from '#server/payments/payment-files/change-payment-file.ts'
import { paymentFileCsv } from '#server/payments/payment-files/payment-file-csv.ts'
import {
  findFullNames,
  insertPaymentFile,
  paymentFilePlace,
} from '#server/payments/payment-files/payment-files.queries.ts'
import type { Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import { lockForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { takePaying } from '#server/payments/withdrawals/pay-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

type MakeRefusal = 'not_approved' | 'files_mixed' | 'destination_invalid' | 'ledger_unclean'

/**
 * Makes a file of approved withdrawals of one method, and starts all their payments. Returns the id of the file. A
 * refusal because of single withdrawals names these withdrawals.
 */
export function makePaymentFile(
  ctx: Ctx,
  { trxs, ...call }: FileCall & { readonly trxs: readonly string[] },
): Promise<Result<string, MakeRefusal | 'request_conflict'>> {
  const { actor } = call
  return changePaymentFile(ctx, call, async (tx): Promise<Result<ChangedFile, MakeRefusal>> => {
    const wanted = [...new Set(trxs)]
    const withdrawals = await lockForReview(tx, ctx.vault, wanted)
    const approved = withdrawals.filter(({ state }) => state === 'approved')
    const [first] = approved
    if (first === undefined || approved.length < wanted.length)
      return refuseNamed(
        'not_approved',
        wanted.filter((trx) => approved.every((one) => one.trx !== trx)),
      )
    if (approved.some(({ methodId, currency }) => methodId !== first.methodId || currency !== first.currency))
      return refuse('files_mixed')
    if (await isLedgerUnclean(tx)) return refuse('ledger_unclean')
    const form = (await findForms(tx, [first.methodId])).get(first.methodId) ?? []
    const unpayable = approved.filter(({ details }) => !isPayable(form, details))
    if (unpayable.length > 0)
      return refuseNamed(
        'destination_invalid',
        unpayable.map(({ trx }) => trx),
      )
    const names = await findFullNames(
      tx,
      approved.map(({ userId }) => userId),
    )
    return ok(
      await writeFile(ctx, tx, { withdrawals: approved, content: paymentFileCsv(approved, { form, names }), actor }),
    )
  })
}

/** Stores the file and records the step of each of its withdrawals. */
async function writeFile(
  ctx: Ctx,
  tx: Tx,
  {
    withdrawals,
    content,
    actor,
  }: Pick<FileCall, 'actor'> & { readonly withdrawals: readonly ReviewedWithdrawal[]; readonly content: string },
): Promise<ChangedFile> {
  const [first] = withdrawals
  assert(first !== undefined && actor.staffId !== undefined, 'a staff member makes a file of withdrawals')
  const [id, createdAt] = [ctx.newId(), ctx.now()]
  const { methodId, currency, method } = first
  const sum = money(withdrawals.reduce((total, { paidOut }) => total + paidOut, 0n))
  const sha256 = createHash('sha256').update(content).digest('hex')
  const sealed = ctx.vault.encrypt(content, paymentFilePlace(id))
  const facts = { id, methodId, currency, count: withdrawals.length, sum, sha256, createdAt }
  await insertPaymentFile(tx, { ...facts, sealed, staffId: actor.staffId, who: actor.who }, withdrawals)
  const steps: Stepped[] = []
  for (const one of withdrawals)
    steps.push(await takePaying(ctx, tx, one, { actor: lineActor(actor, 'pay'), data: { file: id } }))
  const trxs = withdrawals.map(({ trx }) => trx)
  return { id, steps, after: { method, currency, count: facts.count, sum: moneyText(sum), sha256, trxs } }
}

/** Refuses with the references of the withdrawals that cause the refusal. */
function refuseNamed<R extends string>(refusal: R, trxs: readonly string[]): Refusal<R> {
  return refuse(refusal, { params: { variant: 'file', trxs: trxs.join(', ') } })
}
