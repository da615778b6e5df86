import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { type SettlementFacts, decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import { instant } from '#core/time/instant.ts'

const EXPIRY = 1_000_000
const tick = (time: number, receivedAt = time): Tick => ({
  seq: time,
  symbolId: 1,
  price: price(100),
  volume: volume(0),
  time: instant(time),
  receivedAt: instant(receivedAt),
  source: 'test',
})
const facts = (given: Partial<SettlementFacts>): SettlementFacts => ({
  expiresAt: instant(EXPIRY),
  last: tick(EXPIRY - 100),
  next: null,
  watermark: instant(EXPIRY - 100),
  maxTickAgeMs: 5_000,
  now: instant(EXPIRY + 10),
  ...given,
})

describe('AT15: decideSettlementPrice', () => {
  it('the decision waits until the stream has passed the expiry, even if a tick has exactly this time', () => {
    expect(decideSettlementPrice(facts({})).kind).toBe('wait')
    const exactly = facts({ last: tick(EXPIRY), watermark: instant(EXPIRY) })
    expect(decideSettlementPrice(exactly).kind).toBe('wait')
  })

  it('after a later tick or heartbeat, the last tick up to the expiry settles the orders', () => {
    const last = tick(EXPIRY)
    expect(decideSettlementPrice(facts({ last, next: tick(EXPIRY + 1) }))).toEqual({ kind: 'price', exit: last })
    expect(decideSettlementPrice(facts({ last, watermark: instant(EXPIRY + 1) }))).toEqual({
      kind: 'price',
      exit: last,
    })
  })

  it.each([
    ['exactly as old as allowed', EXPIRY - 5_000, 'price'],
    ['one millisecond older', EXPIRY - 5_001, 'void'],
  ])('decideSettlementPrice decides by the age of the last tick: %s', (_what, time, kind) => {
    expect(decideSettlementPrice(facts({ last: tick(time), next: tick(EXPIRY + 1) })).kind).toBe(kind)
  })

  it('the orders are void if there is no tick up to the expiry', () => {
    expect(decideSettlementPrice(facts({ last: null, watermark: instant(EXPIRY + 5) }))).toEqual({
      kind: 'void',
      reason: 'no_tick_before_expiry',
    })
  })

  it('the orders are void if the stream does not pass the expiry within a minute', () => {
    expect(decideSettlementPrice(facts({ now: instant(EXPIRY + 60_000) })).kind).toBe('wait')
    expect(decideSettlementPrice(facts({ now: instant(EXPIRY + 60_001) }))).toEqual({
      kind: 'void',
      reason: 'no_price_after_expiry',
    })
  })

  it('decideSettlementPrice accepts a heartbeat up to 60 s after the expiry, but not later', () => {
    const passed = { last: tick(EXPIRY), watermark: instant(EXPIRY + 1) }
    expect(decideSettlementPrice(facts({ ...passed, now: instant(EXPIRY + 60_000) })).kind).toBe('price')
    expect(decideSettlementPrice(facts({ ...passed, now: instant(EXPIRY + 60_001) }))).toEqual({
      kind: 'void',
      reason: 'no_price_after_expiry',
    })
  })

  it('the decision waits while there was no tick and no heartbeat', () => {
    expect(decideSettlementPrice(facts({ last: null, watermark: null })).kind).toBe('wait')
  })

  it('once a later tick was logged in time, the decision is the same at any later moment', () => {
    const late = facts({ next: tick(EXPIRY + 40, EXPIRY + 60_000), now: instant(EXPIRY + 9_000_000) })
    expect(decideSettlementPrice(late).kind).toBe('price')
    const tooLate = facts({ next: tick(EXPIRY + 40, EXPIRY + 60_001), now: instant(EXPIRY + 9_000_000) })
    expect(decideSettlementPrice(tooLate)).toEqual({ kind: 'void', reason: 'no_price_after_expiry' })
  })

  it('decideSettlementPrice never settles by a tick after the expiry or by a tick that is too old', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20_000, max: 0 }),
        fc.option(fc.integer({ min: 1, max: 120_000 }), { nil: null }),
        fc.integer({ min: 0, max: 200_000 }),
        (lastOffset, nextOffset, nowOffset) => {
          const decision = decideSettlementPrice(
            facts({
              last: tick(EXPIRY + lastOffset),
              next: nextOffset === null ? null : tick(EXPIRY + nextOffset),
              watermark: instant(EXPIRY + (nextOffset ?? lastOffset)),
              now: instant(EXPIRY + nowOffset),
            }),
          )
          if (decision.kind !== 'price') return
          expect(decision.exit.time).toBeLessThanOrEqual(EXPIRY)
          expect(decision.exit.time).toBeGreaterThanOrEqual(EXPIRY - 5_000)
        },
      ),
    )
  })
})
