import { SERVER_ASKER } from '#server/platform/limits/fair-queue.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { trxFrom, TRX_BYTES } from '#core/orders/trx.ts'
import { findUserId, insertUser } from '#server/users/accounts/users.queries.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { creditDeposit } from '#server/payments/deposits/credit-deposit.ts'
import { upsertSavedDetails } from '#server/payments/withdrawals/saved-details.queries.ts'
import { E_WALLET } from '#server/seed/withdrawal-methods.ts'
import { CREDITED, insertDeposit } from '#server/payments/deposits/deposits.queries.ts'

/** Not secret: every start of a demo prints these credentials. */
export const DEMO_USER = { username: 'demo', password: 'demo1234', pin: '123456' }
const DETAILS = { 'Account email': 'demo@example.com', 'Name on the account': 'Demo User' }
const DEMO_BALANCE = money(1_000_000n)

/**
 * Creates a verified user with 10,000.00 for trying everything, unless the name exists. The user has saved payment
 * details, because new details would pause withdrawals for a day.
 */
export async function seedDemoUser(ctx: Ctx, passwords: Passwords, gatewayId: number): Promise<void> {
  if ((await findUserId(ctx.db, DEMO_USER.username)) !== null) return
  const passwordHash = await passwords.hash(DEMO_USER.password, SERVER_ASKER)
  const pinHash = await passwords.hash(DEMO_USER.pin, SERVER_ASKER)
  const now = ctx.now()
  const userId = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    const isNew = await insertUser(tx, {
      id: userId,
      username: DEMO_USER.username,
      email: 'demo@example.com',
      mobile: '2025550100',
      mobileCode: '+1',
      countryCode: 'US',
      passwordHash,
      pinHash,
      invitationCode: null,
      language: 'en',
      verified: true,
      createdAt: now,
    })
    if (!isNew) return
    const deposit = {
      userId,
      id: ctx.newId(),
      trx: trxFrom(ctx.randomBytes(TRX_BYTES), now),
      gatewayId,
      status: CREDITED,
      state: 'credited' as const,
      quotedUntil: null,
      percentBasisPoints: 0,
      currency: BASE_CURRENCY,
      walletAddress: '',
      amount: DEMO_BALANCE,
      percentCharge: money(0n),
      fixedCharge: money(0n),
      total: DEMO_BALANCE,
      rate: 1_000_000n,
      credited: DEMO_BALANCE,
      fields: {},
      files: {},
      feedback: '',
      clientRequestId: null,
      fingerprint: null,
      createdAt: now,
      decidedAt: now,
    }
    await insertDeposit(tx, deposit)
    await creditDeposit(ctx, tx, deposit, now)
    await upsertSavedDetails(tx, ctx.vault, { userId, methodId: E_WALLET.id, details: DETAILS, at: now })
  })
}
