import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALWAYS, isOpen, nextOpen, nextSession, sessionAt, type Session } from '#core/markets/calendar/sessions.ts'
import { expiryFits, tradingAt } from '#core/markets/calendar/trading.ts'
import { MARKET_TYPES, type MarketType } from '#core/markets/market.ts'
import { DAY_MS, HOUR_MS, instant, later, toIso, type Instant } from '#core/time/instant.ts'

const at = (iso: string): Instant => instant(Date.parse(iso))
const fits = (market: MarketType, openedAt: Instant, expiresAt: Instant): boolean =>
  expiryFits(tradingAt(market, openedAt, []), openedAt, expiresAt)

const recorded: Session[] = readFileSync(
  new URL('../../../../data/calendar/nyse-sessions-2015-2026.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([, open, close]) => ({ open: at(open ?? ''), close: at(close ?? '') }))

const FIRST = at('2015-01-01T00:00:00Z')
const LAST = at('2027-01-01T00:00:00Z')
const moments = fc
  .integer({ min: at('2007-06-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })
  .map((ms) => instant(ms))
const markets = fc.constantFrom(...MARKET_TYPES)

describe('New York Stock Exchange', () => {
  test('the sessions of 2015 to 2026 equal the recorded sessions exactly', () => {
    const ours: Session[] = []
    for (let from = FIRST; ; ) {
      const session = nextSession('us_stocks', from)
      if (session.open >= LAST) break
      ours.push(session)
      from = session.close
    }
    expect(ours).toHaveLength(3017)
    expect(ours).toEqual(recorded)
  })

  test('each half hour of 2015 to 2026 is open exactly if it is in a recorded session', () => {
    const wrong: string[] = []
    let next = 0
    for (let now = FIRST; now < LAST; now = later(now, HOUR_MS / 2)) {
      while ((recorded[next]?.close ?? LAST) <= now) next += 1
      const holds = recorded[next]
      const expected = holds !== undefined && holds.open <= now ? holds : null
      if (sessionAt('us_stocks', now)?.open !== expected?.open) wrong.push(toIso(now))
    }
    expect(wrong).toEqual([])
  })

  test.each([
    ['2018-12-05', 'a day of mourning'],
    ['2025-01-09', 'a day of mourning'],
    ['2021-12-24', 'Christmas on a Saturday'],
    ['2022-06-20', 'the first Juneteenth'],
    ['2026-07-03', 'Independence Day on a Saturday'],
    ['2024-03-29', 'Good Friday'],
    ['2012-10-29', 'a hurricane'],
    ['2007-01-02', 'a day of mourning'],
  ])('closed on %s: %s', (day) => {
    expect(isOpen('us_stocks', at(`${day}T16:00:00Z`))).toBe(false)
  })

  test('the market is open on 31 December 2021, though New Year falls on the Saturday after', () => {
    expect(isOpen('us_stocks', at('2021-12-31T20:59:59.999Z'))).toBe(true)
  })

  test('the market is open at the opening instant, but not at the closing instant', () => {
    expect(isOpen('us_stocks', at('2026-11-20T14:29:59.999Z'))).toBe(false)
    expect(isOpen('us_stocks', at('2026-11-20T14:30:00Z'))).toBe(true)
    expect(isOpen('us_stocks', at('2026-11-20T21:00:00Z'))).toBe(false)
  })
})

describe('forex', () => {
  test.each([
    ['winter', '2026-01-14T12:00:00Z', '2026-01-11T22:00:00Z', '2026-01-16T22:00:00Z'],
    ['summer', '2026-07-14T12:00:00Z', '2026-07-12T21:00:00Z', '2026-07-17T21:00:00Z'],
    ['clocks going forward', '2026-03-08T23:00:00Z', '2026-03-08T21:00:00Z', '2026-03-13T21:00:00Z'],
    ['clocks going back', '2026-11-02T12:00:00Z', '2026-11-01T22:00:00Z', '2026-11-06T22:00:00Z'],
    ['before Christmas', '2026-12-22T12:00:00Z', '2026-12-20T22:00:00Z', '2026-12-24T22:00:00Z'],
    ['after New Year', '2025-01-02T12:00:00Z', '2025-01-01T22:00:00Z', '2025-01-03T22:00:00Z'],
  ])('the week in %s', (_, moment, open, close) => {
    const session = sessionAt('us_fx', at(moment))
    expect(session && { open: toIso(session.open), close: toIso(session.close) }).toEqual({
      open: toIso(at(open)),
      close: toIso(at(close)),
    })
  })

  test.each(['2026-07-11T12:00:00Z', '2026-12-25T12:00:00Z', '2026-01-01T12:00:00Z'])('closed at %s', (moment) => {
    expect(isOpen('us_fx', at(moment))).toBe(false)
  })
})

describe('every market', () => {
  test('crypto never closes', () => {
    fc.assert(
      fc.property(moments, (now) => {
        expect(sessionAt('crypto', now)).toBe(ALWAYS)
      }),
    )
  })

  test('isOpen agrees with sessionAt, and a session contains the requested instant', () => {
    fc.assert(
      fc.property(markets, moments, (market, now) => {
        const session = sessionAt(market, now)
        expect(isOpen(market, now)).toBe(session !== null)
        if (session === null) return
        expect(session.open).toBeLessThanOrEqual(now)
        expect(session.close).toBeGreaterThan(now)
        expect(sessionAt(market, session.open)).toEqual(session)
        expect(sessionAt(market, instant(session.close - 1))).toEqual(session)
      }),
    )
  })

  test('the market is open at nextOpen and closed before it', () => {
    fc.assert(
      fc.property(markets, moments, fc.double({ min: 0, max: 1, noNaN: true }), (market, now, share) => {
        const opens = nextOpen(market, now)
        expect(isOpen(market, opens)).toBe(true)
        expect(opens - now).toBeLessThan(6 * DAY_MS)
        if (opens === now) return
        expect(isOpen(market, instant(opens - 1))).toBe(false)
        expect(isOpen(market, instant(now + Math.floor((opens - now - 1) * share)))).toBe(false)
      }),
    )
  })

  test('an expiry fits up to and including the close of its own session', () => {
    fc.assert(
      fc.property(fc.constantFrom('us_stocks', 'us_fx'), moments, (market, from) => {
        const { open, close } = nextSession(market, from)
        expect(fits(market, open, close)).toBe(true)
        expect(fits(market, open, later(close, 1))).toBe(false)
        expect(fits(market, close, later(close, 1))).toBe(isOpen(market, close))
        expect(fits(market, open, nextOpen(market, later(close, 1)))).toBe(false)
      }),
    )
    expect(fits('crypto', at('2026-07-11T12:00:00Z'), at('2026-07-12T12:00:00Z'))).toBe(true)
    expect(fits('crypto', at('2026-07-11T12:00:00Z'), at('2026-07-11T11:59:59Z'))).toBe(false)
  })
})
