import { describe, expect, it } from 'vitest'
import { calendarEntries } from '#core/markets/calendar/calendar-entries.ts'
import { civilDay, SATURDAY, SUNDAY, weekdayOf } from '#core/markets/calendar/civil-day.ts'
import { newYorkInstant } from '#core/markets/calendar/new-york-time.ts'
import { nyseHours } from '#core/markets/calendar/nyse-days.ts'
import { ALWAYS, CALENDAR_BEGINS, isOpen, nextOpen, nextSession, sessionAt } from '#core/markets/calendar/sessions.ts'
import { tradingAt } from '#core/markets/calendar/trading.ts'
import type { MarketType } from '#core/markets/market.ts'
import { DAY_MS, instant, later, toIso, type Instant } from '#core/time/instant.ts'

const at = (iso: string): Instant => instant(Date.parse(iso))
const COUNTED: readonly MarketType[] = ['us_stocks', 'us_fx']

/** Weekdays without a session and days that closed at 13:00, from the exchange's yearly announcements. */
const PUBLISHED: readonly (readonly [year: number, closed: string, early: string])[] = [
  [2007, '01-01 01-02 01-15 02-19 04-06 05-28 07-04 09-03 11-22 12-25', '07-03 11-23 12-24'],
  [2008, '01-01 01-21 02-18 03-21 05-26 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
  [2009, '01-01 01-19 02-16 04-10 05-25 07-03 09-07 11-26 12-25', '11-27 12-24'],
  [2010, '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24', '11-26'],
  [2011, '01-17 02-21 04-22 05-30 07-04 09-05 11-24 12-26', '11-25'],
  [2012, '01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25', '07-03 11-23 12-24'],
  [2013, '01-01 01-21 02-18 03-29 05-27 07-04 09-02 11-28 12-25', '07-03 11-29 12-24'],
  [2014, '01-01 01-20 02-17 04-18 05-26 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
]

describe('the calendars', () => {
  it.each([
    ['the week of closure in September 2001', '2001-09-11T15:00:00Z'],
    ['a day of mourning', '2004-06-11T15:00:00Z'],
    ['an early close on 3 July', '2002-07-03T18:00:00Z'],
    ['an early close on 5 July', '2002-07-05T18:00:00Z'],
    ['an early close on 26 December', '2003-12-26T19:00:00Z'],
    ['a spring in which the clocks changed later', '2006-03-20T13:45:00Z'],
    ['an autumn in which the clocks changed earlier', '2006-10-30T20:30:00Z'],
    ['a year before Martin Luther King Day', '1997-01-20T15:00:00Z'],
    ['the last millisecond before 2007', '2007-01-01T04:59:59.999Z'],
    ['the Unix epoch', '1970-01-01T00:00:00Z'],
  ])('P21: the calendars refuse %s with a message and a code', (_, moment) => {
    const before = { code: 'before_calendar', message: expect.stringContaining(toIso(at(moment))) as unknown }
    for (const market of COUNTED) {
      const lookups: readonly (() => unknown)[] = [
        () => nextSession(market, at(moment)),
        () => sessionAt(market, at(moment)),
        () => isOpen(market, at(moment)),
        () => nextOpen(market, at(moment)),
        () => tradingAt(market, at(moment), []),
        () => calendarEntries(market, at(moment), later(at(moment), DAY_MS)),
      ]
      for (const ask of lookups) expect(ask).toThrow(expect.objectContaining(before) as Error)
    }
    expect(sessionAt('crypto', at(moment))).toBe(ALWAYS)
  })

  it('P21: the calendars begin with the first sessions of 2007', () => {
    const first = (market: MarketType) => {
      const { open, close } = nextSession(market, CALENDAR_BEGINS)
      return [toIso(open), toIso(close)]
    }
    expect(first('us_stocks')).toEqual(['2007-01-03T14:30:00.000Z', '2007-01-03T21:00:00.000Z'])
    expect(first('us_fx')).toEqual(['2007-01-01T22:00:00.000Z', '2007-01-05T22:00:00.000Z'])
  })
})

describe('the calendar of the exchange', () => {
  it.each(PUBLISHED)('P21: has the published closures and early closes of %i', (year, closed, early) => {
    const found = { closed: [] as string[], early: [] as string[] }
    for (let day = civilDay(year, 1, 1); day <= civilDay(year, 12, 31); day += 1) {
      if ([SATURDAY, SUNDAY].some((weekday) => weekday === weekdayOf(day))) continue
      const name = toIso(instant(day * DAY_MS)).slice('yyyy-'.length, 'yyyy-mm-dd'.length)
      const hours = nyseHours(day)
      if (hours === null) found.closed.push(name)
      else if (hours.closes === 13 * 60) found.early.push(name)
    }
    expect([found.closed.join(' '), found.early.join(' ')]).toEqual([closed, early])
  })

  it.each([
    ['2030-07-03', '13:30', '17:00'],
    ['2030-11-29', '14:30', '18:00'],
    ['2030-12-24', '14:30', '18:00'],
    ['2030-03-11', '13:30', '20:00'],
    ['2100-01-04', '14:30', '21:00'],
  ])('P21: the calendar of the exchange applies the present rules to future years: %s', (day, opens, closes) => {
    const session = nextSession('us_stocks', at(`${day}T00:00:00Z`))
    expect([toIso(session.open), toIso(session.close)]).toEqual([`${day}T${opens}:00.000Z`, `${day}T${closes}:00.000Z`])
  })

  it.each(['2030-01-21', '2030-04-19', '2030-06-19', '2030-07-04', '2031-06-19', '2100-12-24'])(
    'P21: the exchange is closed on %s by the present rules',
    (day) => {
      expect(isOpen('us_stocks', newYorkInstant(Math.round(Date.parse(day) / DAY_MS), 12 * 60))).toBe(false)
    },
  )
})
