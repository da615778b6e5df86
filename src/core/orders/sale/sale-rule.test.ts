import { describe, expect, it } from 'vitest'
import { ALWAYS } from '#core/markets/calendar/sessions.ts'
import type { LogLine } from '#core/markets/log-text.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY } from '#core/orders/order.ts'
import { decideSale, isTimeToSell, lastReceipt, type SaleRequest, valueNow } from '#core/orders/sale/sale-rule.ts'
import { instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

const BASE = 100_000
/** The time of the request: 1 ms after the last of 25 minutes of prices, one every 4 s. */
const NOW = instant(25 * MINUTE_MS + 2)

function line(q: number, timeMs: number, units: number, change: object = {}): LogLine {
  const rest = { symbolId: 1, volume: 0, receivedMs: timeMs + 50, source: 'a', ref: q }
  return { kind: 't', q, price: units, timeMs, ...rest, ...change }
}

const known = Array.from({ length: 376 }, (_, at) => line(at + 1, at * 4_000 + 1, BASE + (at % 2) * 10))
const HEAD = known.length
const next = (q: number, afterMs: number, units = BASE, change: object = {}) =>
  line(HEAD + q, NOW + afterMs, units, change)

const request: SaleRequest = {
  order: {
    symbolId: 1,
    source: 'a',
    evidence: 'ids',
    maxTickAgeMs: 10_000,
    direction: BUY,
    stake: money(10_000),
    payout: basisPoints(8_500),
    entryPrice: price(BASE),
    openedAt: instant(NOW - 2 * MINUTE_MS),
    expiresAt: instant(NOW + 8 * MINUTE_MS),
  },
  requestedAt: NOW,
  terms: { scale: 90, fee: basisPoints(400) },
  session: ALWAYS,
  pauses: [],
  least: money(1),
  headQ: HEAD,
}
/** A pause that begins one minute before the expiry of the order. */
const PAUSE = { from: instant(NOW + 7 * MINUTE_MS), until: instant(NOW + 30 * MINUTE_MS) }
const decide = (lines: readonly LogLine[], change: Partial<SaleRequest> = {}, isOver = false) =>
  decideSale({ ...request, ...change }, [...known, ...lines], isOver)
const lapsed = (reason: string) => ({ kind: 'lapsed', reason })

describe('a request to sell', () => {
  it('a sale is carried out at the first price in the log whose time is more than a second after the request', () => {
    const lines = [next(1, 500, BASE + 5), next(2, 1_000, BASE + 5), next(3, 1_001, BASE + 2), next(4, 1_002, BASE + 9)]
    expect(decide(lines)).toMatchObject({ kind: 'sold', tick: { q: HEAD + 3 }, leftMs: 8 * MINUTE_MS - 1_001 })
  })

  it('a request to sell gives the same sale whatever lines follow in the log', () => {
    const lines = [next(1, 1_500, BASE + 2)]
    expect(decide([...lines, next(2, 1_600, BASE + 500), next(3, 9_000, 1)])).toEqual(decide(lines))
  })

  it('a request to sell waits while the log has no price for it, and lapses when no price can come in time', () => {
    expect(decide([next(1, 900)])).toEqual({ kind: 'wait' })
    expect(decide([next(1, 900)], {}, true)).toEqual(lapsed('sale_no_price'))
    expect(lastReceipt(request)).toBe(NOW + 16_000)
  })

  it.each([
    ['that comes too late after the request', [next(1, 11_001)], {}, 'sale_no_price'],
    [
      'that reached the log more than 5 s late',
      [next(1, 1_500, BASE, { receivedMs: NOW + 6_501 })],
      {},
      'sale_no_price',
    ],
    ['that was known when the request was stored', [next(1, 1_500)], { headQ: HEAD + 1 }, 'sale_no_price'],
    ['before which a trade is missing', [next(1, 1_500, BASE, { ref: HEAD + 2 })], {}, 'sale_no_price'],
    ['of less than the least amount', [next(1, 1_500)], { least: money(18_000) }, 'sale_below_least'],
    ['after a jump', [next(1, 1_500, BASE + 300)], {}, 'sale_after_jump'],
    ['in an announced pause', [next(1, 1_500)], { pauses: [PAUSE] }, 'sale_pause'],
    [
      'with a chance above 95 %',
      [next(1, 1_500)],
      { order: { ...request.order, entryPrice: price(BASE - 300) } },
      'sale_no_value',
    ],
  ])('a request to sell lapses at a price %s', (_, lines, change, reason) => {
    expect(decide(lines, change)).toEqual(lapsed(reason))
  })

  it('a sale is carried out only if lines before its price give a final reason for each trade that is missing', () => {
    const leftOut = (from: number, to: number, why: string): LogLine =>
      ({ kind: 'x', symbolId: 1, source: 'a', from, to, why }) as LogLine
    const tick = next(3, 1_500)
    expect(decide([leftOut(HEAD + 1, HEAD + 2, 'spike'), tick])).toMatchObject({ kind: 'sold' })
    expect(decide([leftOut(HEAD + 1, HEAD + 2, 'lost'), tick])).toEqual(lapsed('sale_no_price'))
    expect(decide([tick, leftOut(HEAD + 1, HEAD + 2, 'spike')])).toEqual(lapsed('sale_no_price'))
  })

  it('a request to sell ignores late evidence, other symbols and other sources', () => {
    const others = [
      next(1, 1_500, BASE, { kind: 'e' }),
      next(1, 1_500, BASE, { symbolId: 2 }),
      next(1, 1_500, BASE, { source: 'b' }),
    ]
    expect(decide(others)).toEqual({ kind: 'wait' })
  })

  it('a sale needs no trade numbers if the source has no public history', () => {
    const order = { ...request.order, evidence: 'none' } as const
    expect(decide([next(1, 1_500, BASE, { ref: null })], { order })).toMatchObject({ kind: 'sold' })
  })
})

describe('the offer', () => {
  it('the offer values the order at the newest price of its source', () => {
    expect(valueNow(request, known)).toMatchObject({ kind: 'value', tick: { q: HEAD } })
  })

  it.each([
    ['an old price', { requestedAt: instant(NOW + 10_001) }, 'price_stale'],
    ['a source that is ahead of the clock', { requestedAt: instant(NOW - 600) }, 'price_stale'],
    ['another source', { order: { ...request.order, source: 'b' } }, 'price_stale'],
    ['an order that runs into an announced pause', { pauses: [PAUSE] }, 'sale_pause'],
    ['an order that began 9 s ago', { order: { ...request.order, openedAt: instant(NOW - 9_000) } }, 'sale_not_now'],
  ])('the offer is refused for %s', (_, change, code) => {
    expect(valueNow({ ...request, ...change }, known)).toEqual({ kind: 'refused', code })
  })

  it.each([
    [299, 60, false],
    [300, 9, false],
    [300, 10, true],
    [300, 270, true],
    [300, 271, false],
    [7_200, 3_599, false],
    [7_200, 3_600, true],
  ])('the offer for an order of %i s after %i s: %s', (length, age, isTime) => {
    const order = { openedAt: instant(0), expiresAt: instant(length * SECOND_MS) }
    expect(isTimeToSell(order, instant(age * SECOND_MS))).toBe(isTime)
  })
})
