import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { basisPoints, money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { BUY, SELL, type SettledFacts } from '#core/orders/order.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import {
  compareEntry,
  compareReadings,
  missedByUser,
  nextQuestionAt,
  priceByRecord,
  readingOf,
  type RecordTrade,
} from '#core/orders/rules/made-good.ts'
import type { SettlementPrice } from '#core/orders/settle-order.ts'
import { DAY_MS, instant, later } from '#core/time/instant.ts'

const EXPIRY = instant(1_000_000)
const trade = (ref: number, afterMs: number, units = 100): RecordTrade => ({
  ref,
  price: price(units),
  time: later(EXPIRY, afterMs),
})

describe('readingOf', () => {
  it.each([
    ['the trades around the expiry', [trade(1, -9), trade(2, 0), trade(3, 1), trade(4, 2)], false, [2, 3]],
    ['no next trade when the record has nothing newer', [trade(1, -9), trade(2, -1)], true, [2, null]],
    ['no last trade when the record begins later', [trade(3, 1)], false, [null, 3]],
  ] as const)('finds %s', (_, prices, isNewest, [last, next]) => {
    const reading = readingOf({ prices, isNewest }, EXPIRY)
    expect([reading?.last?.ref ?? null, reading?.next?.ref ?? null]).toEqual([last, next])
  })

  it('readingOf returns null while the history of the source may still get another trade up to the expiry', () => {
    expect(readingOf({ prices: [trade(1, -1)], isNewest: false }, EXPIRY)).toBeNull()
  })
})

describe('A232: compareEntry', () => {
  const record = {
    prices: [trade(10, -9, 100), trade(12, -8, 101), trade(16, -7, 102)].map((one) => ({ ...one, volume: volume(1) })),
    leftOut: [
      { from: 11, to: 11, why: 'number' as const },
      { from: 13, to: 13, why: 'spike' as const },
      { from: 14, to: 15, why: 'absent' as const },
    ],
  }
  const entry = (ref: number, units: number) => ({ ref, price: price(units), time: EXPIRY })

  it.each([
    ['the same price', 12, 101],
    ['a price that only our rules leave out', 13, 999],
  ])('compareEntry finds no contradiction in %s', (_, ref, units) => {
    expect(compareEntry(record, entry(ref, units))).toBe('agrees')
  })

  it.each([
    ['another price of the same number', 12, 12, 101],
    ['a number without a price', 11, 10, 100],
    ['a number that the record lacks', 15, 12, 101],
  ])('compareEntry finds the entry by the history of the source for %s', (_, ref, byRef, units) => {
    expect(compareEntry(record, entry(ref, 555))).toMatchObject({ of: ref, trade: { ref: byRef, price: price(units) } })
  })

  it.each([9, 17])('compareEntry returns null for the number %i, outside of the history', (ref) => {
    expect(compareEntry(record, entry(ref, 100))).toBeNull()
  })
})

it.each([
  ['a young price', trade(1, -500), { kind: 'price', exitPrice: price(100) }],
  ['a price that is as old as it may be', trade(1, -1_000), { kind: 'price', exitPrice: price(100) }],
  ['a price that is too old', trade(1, -1_001), { kind: 'void', reason: 'no_trade_before_expiry' }],
  ['no price', null, { kind: 'void', reason: 'no_trade_before_expiry' }],
] as const)('priceByRecord decides by %s', (_, last, expected) => {
  expect(priceByRecord({ last }, EXPIRY, 1_000)).toEqual(expected)
})

it.each([
  ['at once', null, 0],
  ['a day after a question of the first 30 days', 29, 30],
  ['a week after a later question', 30, 37],
])('nextQuestionAt is %s', (_, askedDay, expectedDay) => {
  const waits = { betweenReadingsMs: DAY_MS, oftenForMs: 30 * DAY_MS, laterMs: 7 * DAY_MS }
  const requestedAt = askedDay === null ? null : later(EXPIRY, askedDay * DAY_MS)
  expect(nextQuestionAt({ notedAt: EXPIRY, requestedAt }, waits)).toBe(later(EXPIRY, expectedDay * DAY_MS))
})

it.each([
  ['keeps the first reading without an answer', null, DAY_MS, 'a', false],
  ['begins again with another reading', 'b', DAY_MS, 'b', false],
  ['waits a day for the same reading', 'a', DAY_MS - 1, 'a', false],
  ['accepts the same reading after a day', 'a', DAY_MS, 'a', true],
])('compareReadings %s', (_, reading, afterMs, expected, isRead) => {
  const found = compareReadings({ at: EXPIRY, reading: 'a' }, reading, {
    now: later(EXPIRY, afterMs),
    betweenReadingsMs: DAY_MS,
  })
  expect([found.first?.reading, found.isRead]).toEqual([expected, isRead])
})

it('missedByUser pays exactly the difference between both results, and never takes money from the user', () => {
  const settlement = fc.oneof(
    fc.constant<SettlementPrice>({ kind: 'void', reason: 'history_unavailable' }),
    fc.integer({ min: 95, max: 105 }).map((units): SettlementPrice => ({ kind: 'price', exitPrice: price(units) })),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(BUY, SELL),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 100, max: 10_000 }),
      settlement,
      settlement,
      (direction, stake, payout, before, after) => {
        const order: SettledFacts = {
          ruleVersion: 2,
          direction,
          stake: money(stake),
          payout: basisPoints(payout),
          entryPrice: price(100),
          expiresAt: EXPIRY,
        }
        const missed = missedByUser(order, before, after)
        const difference = settleOrder(order, after).credit - settleOrder(order, before).credit
        expect(missed?.amount ?? 0n).toBe(difference > 0n ? difference : 0n)
        if (missed !== null) expect(missed.result).toBe(settleOrder(order, after).result)
      },
    ),
  )
})
