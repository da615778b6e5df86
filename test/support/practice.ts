import { findPracticeId } from '#server/ledger/practice-accounts.queries.ts'
import { openPractice } from '#server/users/practice/change-practice.ts'
import { money } from '#core/money/money.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { TestApp, TestUser } from '#test/support/test-app.ts'

/** Opens the practice account of a user, and returns its id. */
export async function practiceOf(app: Pick<TestApp, 'ctx'>, user: Pick<TestUser, 'id'>): Promise<string> {
  await openPractice(app.ctx, user.id)
  const id = await findPracticeId(app.ctx.db, user.id)
  assert(id, 'the practice account is open')
  return id
}

let orders = 0

/** Places an order of a minute on the first symbol. Returns the answer of the engine. */
export function placeFor(app: Pick<TestApp, 'engine'>, userId: string, stake = 1_000n, direction: Direction = BUY) {
  orders += 1
  return app.engine.place({
    userId,
    clientOrderId: `practice-${orders}`,
    direction,
    tradeSettingId: 1,
    stake: money(stake),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
  })
}

/** Lets all orders of a minute expire at a price. `speak` logs a price of the symbol. */
export async function expireAt(app: TestApp, exit: number, speak: (units: number) => Promise<void>): Promise<void> {
  app.ctx.clock.advance(MINUTE_MS - 1_000)
  await speak(exit)
  app.ctx.clock.advance(2_000)
  await speak(exit + 1)
  await app.engine.settleDue()
  await app.receipts.idle()
}
