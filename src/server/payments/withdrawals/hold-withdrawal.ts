import { transfer } from '#core/ledger/transfer.ts'
import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import type { Instant } from '#core/time/instant.ts'
import type { MethodDetails } from '#core/wallet/method-details.ts'
import type { WithdrawalQuote } from '#core/wallet/withdrawal-quote.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { Gateway } from '#server/payments/gateways/list-gateways.ts'
import { insertWithdrawal, NEW_WITHDRAWAL, type Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

interface NewWithdrawal {
  readonly userId: string
  readonly method: Pick<Gateway, 'id' | 'name' | 'image' | 'currency'>
  readonly details: MethodDetails
  readonly quote: WithdrawalQuote
  readonly at: Instant
  /** Given only when the withdrawal belongs to the leave of a blocked user. */
  readonly leave?: Pick<Withdrawal, 'leaveId' | 'isAbovePrincipal' | 'confirmedBy'>
}

const ORDINARY = { leaveId: null, isAbovePrincipal: false, confirmedBy: 'pin' } as const

/** Builds a new withdrawal. Later changes of the method or of the saved details do not change its quote and details. */
export function pendingWithdrawal(
  ctx: Pick<Ctx, 'newId' | 'randomBytes'>,
  { userId, method, details, quote, at, leave = ORDINARY }: NewWithdrawal,
): Withdrawal {
  return {
    ...NEW_WITHDRAWAL,
    ...quote,
    ...leave,
    userId,
    id: ctx.newId(),
    trx: trxFrom(ctx.randomBytes(TRX_BYTES), at),
    methodId: method.id,
    method: method.name,
    methodImage: method.image,
    currency: method.currency,
    details,
    createdAt: at,
    clockAt: at,
  }
}

/**
 * Stores a withdrawal and holds its amount. Returns the time from which its deadline counts. After a rejected request,
 * the database sets this to the time of that request. The caller must hold the lock of the balance.
 */
export async function holdWithdrawal(
  tx: Tx,
  vault: Vault,
  withdrawal: Withdrawal,
  request: Parameters<typeof insertWithdrawal>[3] = { clientRequestId: null, fingerprint: null },
): Promise<Instant> {
  const { userId, id, amount, createdAt } = withdrawal
  const clockAt = await insertWithdrawal(tx, vault, withdrawal, request)
  await postTransfers(tx, [transfer('withdrawal_request', { userId, ref: id, amount })], createdAt)
  return clockAt
}
