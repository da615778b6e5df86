import { type Result, refuse } from '#core/result.ts'
import type { Ctx } from '#server/context.ts'
import { closeWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { findByTrx, type Withdrawal } from '#server/withdrawals/withdrawals.queries.ts'

/** What a user is told may be this long. */
const MOST_WORDS = 500

/** The operator does not pay it: the amount goes back in full, with the operator's words to the user. */
export async function rejectWithdrawal(
  ctx: Ctx,
  trx: string,
  words: string,
): Promise<Result<Withdrawal, 'not_found' | 'withdrawal_decided' | 'words_missing'>> {
  const said = words.trim().slice(0, MOST_WORDS)
  // Nobody is refused their money without a word.
  if (said === '') return refuse('words_missing')
  const withdrawal = await findByTrx(ctx.db, trx)
  return withdrawal ? closeWithdrawal(ctx, withdrawal, { kind: 'rejected', words: said }) : refuse('not_found')
}
