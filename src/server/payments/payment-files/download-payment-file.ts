import { createHash } from 'node:crypto'
import { moneyText } from '#core/money/money.ts'
import { assert, type Result, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import {
  countDownload,
  findPaymentFile,
  paymentFilePlace,
} from '#server/payments/payment-files/payment-files.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface DownloadedFile {
  readonly name: string
  readonly content: string
  readonly sha256: string
}

/**
 * Returns the content of a file, which is the same at each download, and records who downloaded the file and why. A
 * void file is refused, because its withdrawals can be paid in another file.
 */
export async function downloadPaymentFile(
  ctx: Ctx,
  { id, reason, actor }: { readonly id: string; readonly reason: string; readonly actor: Actor },
): Promise<Result<DownloadedFile, 'file_unknown' | 'reason_needed' | 'payment_file_over' | 'payment_file_erased'>> {
  if (reason.trim() === '') return refuse('reason_needed')
  return ctx.db.transaction().execute(async (tx) => {
    const isCounted = await countDownload(tx, id)
    const file = await findPaymentFile(tx, id)
    if (file === null) return refuse('file_unknown')
    if (file.sealed === '') return refuse('payment_file_erased')
    if (!isCounted) return refuse('payment_file_over')
    const { sha256, count, sum, createdAt } = file
    const content = ctx.vault.decrypt(file.sealed, paymentFilePlace(id))
    assert(createHash('sha256').update(content).digest('hex') === sha256, 'a payment file is never changed')
    const after = { count, sum: moneyText(sum), sha256 }
    await recordAction(tx, ctx, actor, { target: id, outcome: 'done', reason: reason.trim(), after })
    return ok({ name: `payments-${toIso(createdAt).slice(0, 10)}-${id.slice(-6)}.csv`, content, sha256 })
  })
}
