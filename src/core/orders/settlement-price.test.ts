import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { price, volume } from '#core/money/price.ts'
import { type SettlementFacts, decideSettlementPrice } from '#core/orders/settlement-price.ts'
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

describe('what settles an expiry', () => {
  it('waits while the stream has not passed the expiry, also when a tick falls exactly on it', () => {
    expect(decideSettlementPrice(facts({})).kind).toBe('wait')
    const exactly = facts({ last: tick(EXPIRY), watermark: instant(EXPIRY) })
    expect(decideSettlementPrice(exactly).kind).toBe('wait')
  })

  it('takes the last tick once a later one was seen, or a heartbeat', () => {
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
  ])('with the last tick %s', (_what, time, kind) => {
    expect(decideSettlementPrice(facts({ last: tick(time), next: tick(EXPIRY + 1) })).kind).toBe(kind)
  })

  it('is void when there never was a tick', () => {
    expect(decideSettlementPrice(facts({ last: null, watermark: instant(EXPIRY + 5) }))).toEqual({
      kind: 'void',
      reason: 'no_tick_before_expiry',
    })
  })

  it('is void when the stream does not pass the expiry within a minute', () => {
    expect(decideSettlementPrice(facts({ now: instant(EXPIRY + 60_000) })).kind).toBe('wait')
    expect(decideSettlementPrice(facts({ now: instant(EXPIRY + 60_001) }))).toEqual({
      kind: 'void',
      reason: 'no_price_after_expiry',
    })
  })

  it('believes a heartbeat up to a minute after the expiry, and not later', () => {
    const passed = { last: tick(EXPIRY), watermark: instant(EXPIRY + 1) }
    expect(decideSettlementPrice(facts({ ...passed, now: instant(EXPIRY + 60_000) })).kind).toBe('price')
    expect(decideSettlementPrice(facts({ ...passed, now: instant(EXPIRY + 60_001) }))).toEqual({
      kind: 'void',
      reason: 'no_price_after_expiry',
    })
  })

  it('waits when the stream has said nothing yet', () => {
    expect(decideSettlementPrice(facts({ last: null, watermark: null })).kind).toBe('wait')
  })

  it('comes out the same however late it is asked, once a later tick was logged in time', () => {
    const late = facts({ next: tick(EXPIRY + 40, EXPIRY + 60_000), now: instant(EXPIRY + 9_000_000) })
    expect(decideSettlementPrice(late).kind).toBe('price')
    const tooLate = facts({ next: tick(EXPIRY + 40, EXPIRY + 60_001), now: instant(EXPIRY + 9_000_000) })
    expect(decideSettlementPrice(tooLate)).toEqual({ kind: 'void', reason: 'no_price_after_expiry' })
  })

  it('never takes a tick after the expiry or one that is too old', () => {
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
