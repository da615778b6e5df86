import { describe, expect, it } from 'vitest'
import type { LogLine } from '#core/markets/log-text.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { paymentAtExpiry } from '#core/orders/sale/payment-at-expiry.ts'
import type { SaleOrder } from '#core/orders/sale/sale-rule.ts'
import { instant } from '#core/time/instant.ts'

const EXPIRY = 1_000_000
const order: SaleOrder = {
  symbolId: 1,
  source: 'a',
  evidence: 'none',
  maxTickAgeMs: 5_000,
  direction: BUY,
  stake: money(10_000),
  payout: basisPoints(8_500),
  entryPrice: price(100),
  openedAt: instant(EXPIRY - 300_000),
  expiresAt: instant(EXPIRY),
}
const line = (q: number, afterMs: number, units: number, change: object = {}): LogLine => {
  const rest = { symbolId: 1, source: 'a', volume: 0, receivedMs: EXPIRY + afterMs, ref: q }
  return { kind: 't', q, price: units, timeMs: EXPIRY + afterMs, ...rest, ...change }
}
const after = line(9, 1, 50)

describe('a sold order, if the user had kept it until the expiry,', () => {
  it.each([
    ['a buy that ends above its entry', BUY, 101, 18_500n],
    ['a buy that ends below', BUY, 99, 0n],
    ['a sell that ends below', SELL, 99, 18_500n],
    ['an equal price', BUY, 100, 10_000n],
  ] as const)('pays by the last price up to the expiry: %s', (_, direction, units, paid) => {
    const lines = [line(1, -3_000, 500), line(2, 0, units), after]
    for (const evidence of ['none', 'computed', 'ids'] as const)
      expect(
        paymentAtExpiry({ ...order, direction, evidence }, [line(1, -3_000, 500), line(2, 0, units), line(3, 1, 50)]),
      ).toBe(paid)
    expect(paymentAtExpiry({ ...order, direction }, lines)).toBe(paid)
  })

  it('a kept order pays the stake back when the last price is too old', () => {
    expect(paymentAtExpiry(order, [line(1, -5_001, 500), after])).toBe(10_000n)
    expect(paymentAtExpiry({ ...order, evidence: 'ids' }, [line(8, -5_001, 500), after])).toBe(10_000n)
  })

  it('the payment of a kept order uses late evidence, and ignores other sources and other symbols', () => {
    const late = line(5, -10, 101, { kind: 'e' })
    expect(paymentAtExpiry(order, [line(1, -20, 99), after, late])).toBe(18_500n)
    const others = [line(5, -10, 101, { source: 'b' }), line(6, -10, 101, { symbolId: 2 })]
    expect(paymentAtExpiry(order, [line(1, -20, 99), ...others, after])).toBe(0n)
  })

  it('the payment of a kept order is unknown while the next price or a trade before that price is missing', () => {
    expect(paymentAtExpiry(order, [line(1, -20, 99)])).toBeNull()
    expect(paymentAtExpiry({ ...order, evidence: 'ids' }, [line(7, -20, 99), after])).toBeNull()
    expect(paymentAtExpiry({ ...order, evidence: 'ids' }, [line(8, -20, 99), after])).toBe(0n)
  })
})
