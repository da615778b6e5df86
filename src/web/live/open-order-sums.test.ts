import fc from 'fast-check'
import { expect, it } from 'vitest'
import { basisPoints, money, moneyNumber, shareHalfEven } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { sumOpenOrders } from '#web/live/open-order-sums.ts'

const ORDER: PlacedOrder = {
  id: 'o',
  clientOrderId: 'c',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: BUY,
  stake: 40,
  payout: 85,
  seconds: 60,
  openedAt: 0,
  expiresAt: 60_000,
  entryPrice: 1,
  entryAt: 0,
}

it('the sums of 200 orders are exact in cents', () => {
  const row = fc.record({
    cents: fc.integer({ min: 1, max: 1_000_000 }),
    payoutBp: fc.integer({ min: 100, max: 20_000 }),
    isBuy: fc.boolean(),
    symbol: fc.constantFrom('BTC', 'ETH', 'EURUSD'),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 200, maxLength: 200 }), (rows) => {
      const orders = rows.map(({ cents, payoutBp, isBuy, symbol }) => ({
        ...ORDER,
        symbol,
        stake: moneyNumber(money(cents)),
        payout: payoutBp / 100,
        direction: isBuy ? BUY : SELL,
      }))
      const { staked, allRight, differences } = sumOpenOrders(orders)
      const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
      expect(staked).toBe(total(rows.map(({ cents }) => BigInt(cents))))
      expect(allRight).toBe(
        total(rows.map(({ cents, payoutBp }) => shareHalfEven(money(cents), basisPoints(payoutBp)))),
      )
      const net = total(rows.map(({ cents, isBuy }) => BigInt(isBuy ? cents : -cents)))
      expect(total([...differences.values()])).toBe(net)
    }),
    { numRuns: 50 },
  )
})

it('the difference of a symbol is positive when buys exceed sells, and negative otherwise', () => {
  const orders = [ORDER, { ...ORDER, direction: SELL, stake: 15.5 }, { ...ORDER, symbol: 'ETH', direction: SELL }]
  expect([...sumOpenOrders(orders).differences]).toEqual([
    ['BTC', money(2_450)],
    ['ETH', money(-4_000)],
  ])
})

it('the sums of no orders are zero', () => {
  expect(sumOpenOrders([])).toEqual({ staked: 0n, allRight: 0n, differences: new Map() })
})
