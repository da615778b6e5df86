import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExposedOrder, Exposure } from '#core/markets/caps/exposure.ts'
import { money } from '#core/money/money.ts'
import { instant, MINUTE_MS } from '#core/time/instant.ts'

let count = 0
const order = (change: Partial<ExposedOrder> = {}): ExposedOrder => ({
  orderId: `order ${(count += 1)}`,
  code: 'BTC',
  marketType: 'crypto',
  direction: 1,
  profit: money(10),
  expiresAt: instant(MINUTE_MS),
  isBot: false,
  ...change,
})
const capsOf = (caps: Readonly<Record<string, number>>) =>
  new Map(Object.entries(caps).map(([of, limit]) => [of, { maximum: money(limit) }]))

describe('room under a cap', () => {
  const full = [order(), order()]
  it.each<[string, Partial<ExposedOrder>, Readonly<Record<string, number>>, string]>([
    ['an order that reaches the cap exactly fits', {}, { symbol_BTC: 30 }, 'fits'],
    ['one cent more does not', { profit: money(11) }, { symbol_BTC: 30 }, 'full'],
    ['the other side has room of its own', { direction: 2 }, { symbol_BTC: 20 }, 'fits'],
    ['bots have room of their own', { isBot: true }, { symbol_BTC: 20 }, 'fits'],
    ['another minute of expiry has room of its own', { expiresAt: instant(2 * MINUTE_MS) }, { expiry_BTC: 20 }, 'fits'],
    ['the same minute has not', { expiresAt: instant(2 * MINUTE_MS - 1) }, { expiry_BTC: 20 }, 'full'],
    ['a cap of the symbol counts all minutes', { expiresAt: instant(9 * MINUTE_MS) }, { symbol_BTC: 20 }, 'full'],
    ['a cap of another symbol does not count', {}, { symbol_ETH: 1 }, 'fits'],
    ['a cap of the market counts all its symbols', { code: 'ETH' }, { market_crypto: 20 }, 'full'],
    [
      'a cap of another market does not count',
      { code: 'AAPL', marketType: 'us_stocks' },
      { market_crypto: 20 },
      'fits',
    ],
    ['a cap of the site counts all', { code: 'AAPL', marketType: 'us_stocks' }, { site_all: 20 }, 'full'],
    ['the narrowest cap decides', {}, { site_all: 1_000, expiry_BTC: 20 }, 'full'],
    ['without a cap everything fits', { profit: money(1_000_000) }, {}, 'fits'],
  ])('OD7.1, OD7.2: %s', (_why, change, caps, room) => {
    expect(new Exposure(full).claim(order(change), capsOf(caps))).toBe(room)
  })

  it('OD7.2: the result is `unsure` when an order fits only if a pending order is refused', () => {
    const exposure = new Exposure()
    const first = order()
    expect(exposure.claim(first, capsOf({ symbol_BTC: 15 }))).toBe('fits')
    const second = order()
    expect(exposure.claim(second, capsOf({ symbol_BTC: 15 }))).toBe('unsure')
    exposure.open(first.orderId)
    expect(exposure.claim(second, capsOf({ symbol_BTC: 15 }))).toBe('full')
    exposure.release(first.orderId)
    expect(exposure.claim(second, capsOf({ symbol_BTC: 15 }))).toBe('fits')
  })

  it('OD7.3: a lower cap refuses new orders until enough open orders have ended', () => {
    const exposure = new Exposure(full)
    expect(exposure.claim(order(), capsOf({ symbol_BTC: 12 }))).toBe('full')
    exposure.release(full[0]?.orderId ?? '')
    expect(exposure.claim(order({ profit: money(2) }), capsOf({ symbol_BTC: 12 }))).toBe('fits')
  })

  it('OD7.4: an order that is opened or released twice changes the sums once', () => {
    const exposure = new Exposure()
    const one = order()
    exposure.claim(one, new Map())
    for (const _ of [1, 2]) exposure.open(one.orderId)
    expect(exposure.claim(order(), capsOf({ symbol_BTC: 20 }))).toBe('fits')
    for (const _ of [1, 2]) exposure.release(one.orderId)
    expect(exposure.claim(order(), capsOf({ symbol_BTC: 20 }))).toBe('fits')
  })

  it('OD7.4: after any sequence of calls, the sums equal the sums of the open orders', () => {
    const step = fc.record({
      act: fc.constantFrom('claim', 'open', 'release'),
      at: fc.nat(5),
      profit: fc.integer({ min: 1, max: 20 }),
      direction: fc.constantFrom(1, 2),
      code: fc.constantFrom('BTC', 'ETH'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const caps = capsOf({ symbol_BTC: 40, market_crypto: 60 })
        const exposure = new Exposure()
        const live: ExposedOrder[] = []
        for (const { act, at, profit, direction, code } of steps) {
          const known = live[at]
          if (act === 'claim') {
            const one = order({ profit: money(profit), direction, code })
            const sum = (of: (order: ExposedOrder) => boolean) =>
              live
                .filter((order) => order.direction === direction && of(order))
                .reduce((all, o) => all + o.profit, 0n + one.profit)
            const isWithin = (code !== 'BTC' || sum((o) => o.code === 'BTC') <= 40n) && sum(() => true) <= 60n
            expect(exposure.claim(one, caps) === 'fits').toBe(isWithin)
            if (isWithin) live.push(one)
          } else if (act === 'open' && known) exposure.open(known.orderId)
          else if (act === 'release' && known) {
            exposure.release(known.orderId)
            live.splice(at, 1)
          }
        }
      }),
    )
  })
})
