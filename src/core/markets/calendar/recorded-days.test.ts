import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { civilDay, SATURDAY, SUNDAY, weekdayOf, type CivilDay } from '#core/markets/calendar/civil-day.ts'
import { newYorkInstant } from '#core/markets/calendar/new-york-time.ts'
import { nyseHours } from '#core/markets/calendar/nyse-days.ts'
import { isOpen, nextSession, type Session } from '#core/markets/calendar/sessions.ts'
import { DAY_MS, HOUR_MS, instant, type Instant, MINUTE_MS } from '#core/time/instant.ts'

// Compares the calendar with days recorded elsewhere and with Node's time zone database.

interface RecordedWeek {
  readonly key: string
  readonly holidays: readonly string[]
  readonly earlyCloses: Readonly<Record<string, string>>
  readonly lateOpens: Readonly<Record<string, string>>
}

const closures = read('nyse-full-day-closures-2015-2026.csv').trim().split('\n').slice(1)
const sessions = read('nyse-sessions-2015-2026.csv').trim().split('\n').slice(1)
const weeks = (JSON.parse(read('forex-week.json')) as { entries: readonly RecordedWeek[] }).entries
const FIVE_PM = 17 * 60

function read(file: string): string {
  return readFileSync(new URL(`../../../../data/calendar/${file}`, import.meta.url), 'utf8')
}

describe('New York Stock Exchange', () => {
  test('each weekday of 2015 to 2026 equals its recorded session or closure', () => {
    const held = new Set(sessions.map((line) => isoDay(line.slice(0, 10))))
    const closed = new Set(closures.map(isoDay))
    expect([held.size, closed.size]).toEqual([3017, 114])
    const weekdays = days(civilDay(2015, 1, 1), civilDay(2026, 12, 31)).filter(isWeekday)
    expect(weekdays.filter((day) => held.has(day) === closed.has(day))).toEqual([])
    expect(weekdays.filter((day) => (nyseHours(day) === null) !== closed.has(day))).toEqual([])
    expect(held.size + closed.size).toBe(weekdays.length)
  })

  test('every session of 2010 to 2035 runs from 9:30 to 16:00 or 13:00, New York time', () => {
    const wrong = walk('us_stocks').filter(({ open, close }) => {
      const [from, to] = [wallClock('America/New_York', open), wallClock('America/New_York', close)]
      const isFine = from.endsWith(' 09:30') && (to.endsWith(' 16:00') || to.endsWith(' 13:00'))
      return !isFine || from.slice(0, 10) !== to.slice(0, 10)
    })
    expect(wrong).toEqual([])
  })
})

describe('forex', () => {
  // Christmas 2022 and New Year 2023 fell on Sundays. On the Monday, one venue also closed; the other opened at 02:00.
  // These days are left out.
  const UNDECIDED = ['12/25/2022', '12/26/2022', '1/1/2023', '1/2/2023']

  test('closures around Christmas and New Year equal the closures of the recorded venue since 2018', () => {
    const venue = weeks.find(({ key }) => key.includes('oanda'))
    const recorded = (listed: readonly string[] = []) =>
      listed.filter((day) => Number(day.slice(-4)) >= 2018 && !UNDECIDED.includes(day)).map(slashDay)
    const [resting, closing, opening] = [
      recorded(venue?.holidays),
      recorded(Object.keys(venue?.earlyCloses ?? {})),
      recorded(Object.keys(venue?.lateOpens ?? {})),
    ]
    expect([resting.length, closing.length, opening.length]).toEqual([4, 11, 10])
    for (const day of resting) expect(openHours(day)).toBe(0)
    // The market is open until 17:00 on the eve, and again from 17:00 on the holiday.
    for (const day of closing)
      expect([isOpen('us_fx', before(day)), isOpen('us_fx', fivePm(day))]).toEqual([true, false])
    for (const day of opening)
      expect([isOpen('us_fx', before(day)), isOpen('us_fx', fivePm(day))]).toEqual([false, true])
  })

  test('on each day that the comparison leaves out, the two venues recorded different hours', () => {
    const others = weeks.find(({ key }) => key.includes('fxcm'))
    expect(others?.holidays).not.toContain('12/26/2022')
    expect(others?.lateOpens['12/26/2022']).toBe('02:00:00')
  })

  test('from 2010 to 2035 the market opens and closes at 17:00 New York time and has no other holidays', () => {
    const all = walk('us_fx')
    for (const { open, close } of all) {
      expect(wallClock('America/New_York', open)).toMatch(/ 17:00$/)
      expect(wallClock('America/New_York', close)).toMatch(/ 17:00$/)
      expect(close - open).toBeLessThanOrEqual(5 * DAY_MS + HOUR_MS)
    }
    for (const day of days(civilDay(2010, 1, 4), civilDay(2035, 12, 28))) {
      const noon = newYorkInstant(day, 12 * 60)
      const [, month, date] = new Date(day * DAY_MS).toISOString().slice(0, 10).split('-')
      const rests = !isWeekday(day) || `${month}-${date}` === '12-25' || `${month}-${date}` === '01-01'
      if (isOpen('us_fx', noon) === rests) throw new Error(`${new Date(day * DAY_MS).toISOString()} is wrong`)
    }
  })

  test.each([
    ['both in winter', '2026-02-22', 22, 22],
    ['New York is ahead', '2026-03-08', 21, 21],
    ['three weeks of it', '2026-03-22', 21, 21],
    ['both in summer', '2026-03-29', 21, 22],
    ['London is back, New York is not', '2026-10-25', 21, 21],
    ['both in winter again', '2026-11-01', 22, 22],
  ])('the week of %s opens by New York time, not London time', (_, sunday, utcHour, londonHour) => {
    const { open } = nextSession('us_fx', newYorkInstant(isoDay(sunday), 12 * 60))
    expect(new Date(open).toISOString().slice(0, 13)).toBe(`${sunday}T${utcHour}`)
    expect(wallClock('Europe/London', open)).toMatch(new RegExp(` ${londonHour}:00$`))
  })
})

/** Returns all sessions of 26 years, after checking that they ascend without touching. */
function walk(market: 'us_stocks' | 'us_fx'): Session[] {
  const found: Session[] = []
  for (let from = instant(Date.UTC(2010, 0, 1)); from < Date.UTC(2036, 0, 1); ) {
    const session = nextSession(market, from)
    const last = found.at(-1)
    expect(session.close).toBeGreaterThan(session.open)
    if (last !== undefined && session.open <= last.close) throw new Error(`sessions overlap at ${session.open}`)
    found.push(session)
    from = session.close
  }
  return found
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats an instant as local time of a place, "2026-03-08 17:00", by the time zone database. */
function wallClock(timeZone: string, at: Instant): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(timeZone, format)
  return format.format(at)
}

function openHours(day: CivilDay): number {
  const start = newYorkInstant(day, 0)
  return Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    isOpen('us_fx', instant(start + hour * HOUR_MS + 30 * MINUTE_MS)),
  ).length
}

function fivePm(day: CivilDay): Instant {
  return newYorkInstant(day, FIVE_PM)
}

function before(day: CivilDay): Instant {
  return instant(fivePm(day) - 1)
}

function days(first: CivilDay, last: CivilDay): CivilDay[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function isWeekday(day: CivilDay): boolean {
  const weekday = weekdayOf(day)
  return weekday !== SATURDAY && weekday !== SUNDAY
}

/** Parses "2026-03-08". */
function isoDay(text: string): CivilDay {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY_MS)
}

/** Parses "12/24/2025". */
function slashDay(text: string): CivilDay {
  const [month = 0, day = 0, year = 0] = text.split('/').map(Number)
  return civilDay(year, month, day)
}
