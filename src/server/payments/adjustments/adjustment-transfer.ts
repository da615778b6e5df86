import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import type { Adjustment } from '#server/payments/adjustments/adjustments.queries.ts'

/**
 * Builds the transfer between the user's cash and the house. The ledger refuses to post it a second time, because the
 * transfer has the adjustment's id.
 */
export function adjustmentTransfer({ id, userId, amount }: Adjustment): Transfer {
  const isIn = amount > 0n
  return transfer(isIn ? 'correction_in' : 'correction_out', {
    userId,
    ref: id,
    amount: money(isIn ? amount : -amount),
  })
}
