import { describe, expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { basisPoints, money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { decidePlacement, type PlacementFacts } from '#core/orders/place-order.ts'
import { instant, type Instant, minuteText } from '#core/time/instant.ts'

/** Wednesday, 15:00 in New York: all markets are open, US stocks for one more hour. */
const NOW = instant(Date.UTC(2025, 0, 15, 20))
const SYMBOL = {
  id: 1,
  code: 'BTC',
  name: 'Bitcoin',
  marketType: 'crypto',
  decimals: 2,
  maxTickAgeMs: 5_000,
  closedReason: null,
  splits: [],
} as const
const TERMS = {
  id: 7,
  seconds: 60,
  minimum: money(1_000),
  maximum: money(50_000),
  payout: basisPoints(8_500),
  termsN: 3,
  rule: 1,
}
const tick = (facts: Partial<Tick> = {}): Tick => ({
  seq: 3,
  symbolId: 1,
  price: price(10_000),
  volume: volume(0),
  time: NOW,
  receivedAt: NOW,
  source: 'test',
  ...facts,
})
const FACTS: PlacementFacts = {
  symbol: SYMBOL,
  requestedMarketType: null,
  marketClosedReason: null,
  plannedClosures: [],
  maintenance: [],
  terms: TERMS,
  stake: money(2_000),
  newest: tick(),
  pause: null,
  hasPendingSources: false,
  isInDoubt: false,
  slippageGuard: null,
  shownPayout: null,
  shownSeconds: null,
  validUntil: null,
  now: NOW,
}
const decide = (facts: Partial<PlacementFacts> = {}) => decidePlacement({ ...FACTS, ...facts })
const at = (offset: number) => instant(NOW + offset)

describe('an order', () => {
  it('an order takes the newest tick as entry, opens now and expires after its duration', () => {
    expect(decide()).toEqual({
      ok: true,
      value: { symbol: SYMBOL, terms: TERMS, entry: tick(), openedAt: NOW, expiresAt: at(60_000) },
    })
  })

  it.each([
    ['with the market type of its symbol', { requestedMarketType: 'crypto' }],
    ['with the displayed duration', { shownSeconds: 60 }],
    ['with the displayed payout', { shownPayout: basisPoints(8_500) }],
    ['at the last instant of its validity', { validUntil: NOW }],
    ['with the minimum stake', { stake: money(1_000) }],
    ['with the maximum stake', { stake: money(50_000) }],
    ['on a price of the maximum age', { newest: tick({ time: at(-5_000) }) }],
    ['on a price that is ahead by the maximum clock difference', { newest: tick({ time: at(5_000) }) }],
    ['on a price that rose by exactly the guard', { slippageGuard: { shown: '99.5', maxDistance: '0.5' } }],
    ['on a price that fell by exactly the guard', { slippageGuard: { shown: '100.5', maxDistance: '0.5' } }],
  ] as const)('is accepted %s', (_what, facts) => {
    expect(decide(facts)).toMatchObject({ ok: true })
  })

  const STOCK = { ...SYMBOL, marketType: 'us_stocks' } as const
  const SPLIT_AT = instant(Date.UTC(2025, 0, 16, 14, 30))
  const SPLITTING = { ...STOCK, splits: [{ newShares: 3, oldShares: 1, effectiveAt: SPLIT_AT }] } as const
  it.each([
    ['for an unknown symbol', { symbol: null }, 'symbol_unknown'],
    ['for a symbol of another market type', { requestedMarketType: 'us_fx' }, 'symbol_unknown'],
    ['with unknown trade terms', { terms: null }, 'setting_unknown'],
    ['with another duration than displayed', { shownSeconds: 61 }, 'setting_unknown'],
    ['while its market is closed manually', { marketClosedReason: '' }, 'market_closed'],
    ['outside the session', { symbol: STOCK, now: at(2 * 3_600_000) }, 'market_closed'],
    ['when it would expire after the close', { symbol: STOCK, now: at(3_600_000 - 59_999) }, 'expiry_after_close'],
    ['P7: across a split', { symbol: SPLITTING, terms: { ...TERMS, seconds: 86_400 } }, 'spans_split'],
    [
      'P7: on a price from before a split',
      { symbol: { ...SPLITTING, maxTickAgeMs: 9e7 }, now: SPLIT_AT, newest: tick() },
      'price_stale',
    ],
    ['on a suspect price', { isInDoubt: true }, 'price_stale'],
    ['with too many void orders', { pause: 'too_many_voids' }, 'too_many_voids'],
    ['whose source has a record that was not read', { pause: 'record_unread' }, 'record_unread'],
    ['whose new sources do not count yet', { hasPendingSources: true, isInDoubt: true }, 'sources_pending'],
    ['without a price', { newest: null }, 'price_stale'],
    ['on an old price', { newest: tick({ time: at(-5_001) }) }, 'price_stale'],
    ['on a price from the future', { newest: tick({ time: at(5_001) }) }, 'price_stale'],
    [
      'on a price that rose slightly more than the guard',
      { slippageGuard: { shown: '99.5', maxDistance: '0.4999999999999999' } },
      'price_moved',
    ],
    [
      'on a price that fell slightly more than the guard',
      { slippageGuard: { shown: '100.5', maxDistance: '0.4999999999999999' } },
      'price_moved',
    ],
    ['with a guard whose price is malformed', { slippageGuard: { shown: 'x', maxDistance: '9' } }, 'price_moved'],
    ['with a guard whose distance is negative', { slippageGuard: { shown: '100', maxDistance: '-9' } }, 'price_moved'],
  ] as const)('is refused %s', (_what, facts, refusal) => {
    // The newest price is valid unless the case sets another.
    const newest = 'now' in facts ? tick({ time: facts.now }) : tick()
    expect(decide({ newest, ...facts })).toMatchObject({ ok: false, refusal })
  })

  it('an order may expire exactly at the close of the session', () => {
    const now = at(3_600_000 - 60_000)
    expect(decide({ symbol: STOCK, now, newest: tick({ time: now }) })).toMatchObject({ ok: true })
  })

  it('P7: an order is accepted if the split comes after its expiry, and at the first price after a split', () => {
    const [split] = SPLITTING.splits
    const at1 = (effectiveAt: typeof NOW) => ({ ...SYMBOL, splits: [{ ...split, effectiveAt }] })
    expect(decide({ symbol: at1(at(60_001)) })).toMatchObject({ ok: true })
    expect(decide({ symbol: at1(at(60_000)) })).toEqual({
      ok: false,
      refusal: 'spans_split',
      params: { symbol: 'BTC' },
    })
    expect(decide({ symbol: at1(NOW) })).toMatchObject({ ok: true })
  })

  it('A23: an order is refused as expired after its validity, before any other check', () => {
    const late = { ok: false, refusal: 'order_expired' }
    expect(decide({ validUntil: at(-1) })).toEqual(late)
    expect(decide({ validUntil: at(-1), symbol: null, newest: null, stake: money(1) })).toEqual(late)
  })

  it('every refusal carries the values that its message needs', () => {
    expect(decide({ stake: money(999) })).toEqual({ ok: false, refusal: 'below_minimum', params: { value: '10.00' } })
    const above = { ok: false, refusal: 'above_maximum', params: { value: '500.00' } }
    expect(decide({ stake: money(50_001) })).toEqual(above)
    const closed = { ok: false, refusal: 'symbol_closed', params: { reason: 'a split' } }
    expect(decide({ symbol: { ...SYMBOL, closedReason: 'a split' } })).toEqual(closed)
    const changed = { ok: false, refusal: 'payout_changed', params: { payout: 85 } }
    expect(decide({ shownPayout: basisPoints(8_400) })).toEqual(changed)
    const stale = { ok: false, refusal: 'price_stale', params: { symbol: 'BTC' } }
    expect(decide({ newest: null })).toEqual(stale)
    const moved = { ok: false, refusal: 'price_moved', params: { symbol: 'BTC' } }
    expect(decide({ slippageGuard: { shown: '90', maxDistance: '1' } })).toEqual(moved)
  })

  it('a maintenance refuses orders during the maintenance and orders that would expire in it, and names its time', () => {
    const plan = { from: at(30_000), to: at(90_000), words: 'works' }
    const params = (time: Instant) => ({ params: { time: minuteText(time) } })
    expect(decide({ maintenance: [plan] })).toMatchObject({ refusal: 'maintenance_planned', ...params(at(30_000)) })
    const running = decide({ maintenance: [{ ...plan, from: NOW }] })
    expect(running).toMatchObject({ refusal: 'maintenance_now', ...params(at(90_000)) })
    expect(decide({ maintenance: [{ ...plan, from: NOW, to: null }] })).toMatchObject({ refusal: 'trading_paused' })
    expect(decide({ maintenance: [{ ...plan, from: at(60_000) }] })).toMatchObject({ ok: true })
  })

  it('a planned closure refuses orders during the closure, and orders that would expire in it', () => {
    const closure = { marketType: 'crypto', from: at(30_000), to: at(90_000), reason: 'works' } as const
    expect(decide({ plannedClosures: [closure] })).toMatchObject({ refusal: 'expiry_after_close' })
    expect(decide({ plannedClosures: [{ ...closure, from: NOW }] })).toMatchObject({ refusal: 'market_closed' })
    expect(decide({ plannedClosures: [{ ...closure, from: at(60_000) }] })).toMatchObject({ ok: true })
  })
})
