import { describe, expect, it } from 'vitest'
import { capsInForce, hasCap } from '#core/markets/caps/caps.ts'
import { capSubjectText, readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { decideAnnouncement } from '#core/markets/terms/decide-announcement.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'

type Row = readonly [of: string, value: string, appliesAt: number]
const historyOf = (...rows: readonly Row[]) =>
  new TermsHistory(
    rows.map(([of, value, at], index) => ({
      n: index + 1,
      what: 'cap',
      of,
      value,
      announcedAt: instant(0),
      appliesAt: instant(at),
    })),
  )

describe('the subject of a cap', () => {
  it.each([
    ['expiry_BTC', { scope: 'expiry', key: 'BTC' }],
    ['symbol_EURUSD', { scope: 'symbol', key: 'EURUSD' }],
    ['market_us_stocks', { scope: 'market', key: 'us_stocks' }],
    ['site_all', { scope: 'site', key: 'all' }],
  ] as const)('%s is read and written the same', (text, subject) => {
    expect(readCapSubject(text)).toEqual(subject)
    expect(capSubjectText(subject)).toBe(text)
  })

  it.each(['expiry_', 'symbol_btc', 'market_usd_fx', 'market_', 'site_BTC', 'user_BTC', 'BTC', 'expiry_BTC_1'])(
    '%s is not a subject of a cap',
    (text) => expect(readCapSubject(text)).toBeNull(),
  )

  it('OD7.1: names no direction, so one number is in force for buys and sells', () => {
    expect(readCapSubject('buy_BTC')).toBeNull()
    expect([...capsInForce(historyOf(['symbol_BTC', '5000', 0]), instant(1)).keys()]).toEqual(['symbol_BTC'])
  })
})

describe('the caps in force', () => {
  const history = historyOf(
    ['symbol_BTC', '5000', 10],
    ['site_all', '9000', 20],
    ['symbol_BTC', '4000', 30],
    ['site_all', 'none', 40],
  )
  it.each([
    [9, []],
    [10, ['symbol_BTC 5000 since 10 by 1']],
    [29, ['symbol_BTC 5000 since 10 by 1', 'site_all 9000 since 20 by 2']],
    [30, ['symbol_BTC 4000 since 30 by 3', 'site_all 9000 since 20 by 2']],
    [40, ['symbol_BTC 4000 since 30 by 3']],
  ])('OD7.3: the caps in force at %d ms are %j', (at, expected) => {
    const caps = [...capsInForce(history, instant(at))]
    expect(caps.map(([of, { maximum, since, n }]) => `${of} ${maximum} since ${since} by ${n}`)).toEqual(expected)
  })

  it('OD7.4: hasCap is true from the announcement of a cap until its removal', () => {
    expect(hasCap(historyOf(['symbol_BTC', '5000', 10]), instant(0))).toBe(true)
    expect(hasCap(historyOf(['symbol_BTC', '5000', 10], ['symbol_BTC', 'none', 20]), instant(30))).toBe(false)
    expect(hasCap(historyOf(), instant(0))).toBe(false)
  })
})

describe('announcing a cap', () => {
  const decide = (of: string, value: string, appliesAt: number | null = null) =>
    decideAnnouncement(
      {
        history: historyOf(),
        mode: 'live',
        now: instant(HOUR_MS),
        marketTypeOf: (code) => (code === 'BTC' ? 'crypto' : null),
      },
      { what: 'cap', of, value, appliesAt: appliesAt === null ? null : instant(appliesAt) },
    )

  it('OD7.3: raising, lowering or removing a cap needs no notice except the minute until the register has it', () => {
    for (const value of ['1', '100000000000000', 'none']) {
      expect(decide('expiry_BTC', value, HOUR_MS + MINUTE_MS)).toMatchObject({ ok: true })
      expect(decide('expiry_BTC', value, HOUR_MS + MINUTE_MS - 1)).toMatchObject({ refusal: 'notice_too_short' })
    }
  })

  it.each([
    ['expiry_BTC', '0', 'terms_bounds'],
    ['expiry_BTC', '100000000000001', 'terms_bounds'],
    ['expiry_BTC', 'all', 'terms_bounds'],
    ['expiry_XYZ', '5', 'not_found'],
    ['user_BTC', '5', 'not_found'],
  ])('%s of %s is refused: %s', (of, value, refusal) => expect(decide(of, value)).toMatchObject({ refusal }))
})
