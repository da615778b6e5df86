import { describe, expect, test } from 'vitest'
import { isOpen } from '#core/markets/calendar/sessions.ts'
import { instant, later } from '#core/time/instant.ts'
import { layOut, parseRecording, regularHours } from '#server/market-data/feeds/replay/recording.ts'

const HEADER = 'time_ms_utc,price,volume\n'

describe('parsing a recording', () => {
  test('reads exact integer prices, truncates volumes to millionths, and gives quotes no volume', () => {
    expect(parseRecording(`${HEADER}1000,61837.63,0.02\n1000,61837.6,210.50617599\n`, 2)).toEqual([
      { time: 1000, price: 6_183_763, volume: 20_000 },
      { time: 1000, price: 6_183_760, volume: 210_506_175 },
    ])
    expect(parseRecording('time_ms_utc,price\n1398902400920,1.386815\n', 6)).toEqual([
      { time: 1_398_902_400_920, price: 1_386_815, volume: 0 },
    ])
  })

  test.each([
    ['more digits than the symbol has', '1000,1.234,1'],
    ['no price', '1000,,1'],
    ['a price of zero', '1000,0,1'],
    ['a negative price', '1000,-1.2,1'],
    ['a time with a point', '1000.5,1.23,1'],
    ['text', 'now,1.23,1'],
    ['another column', '1000,1.23,1,9'],
    ['a step back in time', '998,1.23,1'],
  ])('refuses %s and names the line', (_, line) => {
    expect(() => parseRecording(`${HEADER}999,1.23,1\n${line}`, 2)).toThrow('line 3')
  })
})

describe('laying out a recording', () => {
  test('begins at 0, keeps gaps up to five minutes, shortens longer gaps, and ends with a pause of one second', () => {
    const rows = parseRecording(`${HEADER}5000,1,1\n5000,2,1\n305000,3,1\n605001,4,1\n606000,5,1`, 0)
    const { positions, prices, loopMs } = layOut(rows)
    expect([...positions]).toEqual([0, 0, 300_000, 301_000, 301_999])
    expect([...prices]).toEqual([1, 2, 3, 4, 5])
    expect(loopMs).toBe(302_999)
  })

  test("leaves out a stock's rows outside the session, but keeps rows exactly at the opening and closing bell", () => {
    const open = instant(Date.parse('2011-01-03T14:30:00Z'))
    const close = instant(Date.parse('2011-01-03T21:00:00Z'))
    const lines = [later(open, -1), open, close, later(close, 1)].map((time) => `${time},1,1`)
    const rows = parseRecording(HEADER + lines.join('\n'), 0)
    expect(regularHours('us_stocks', rows).map((row) => row.time)).toEqual([open, close])
    expect(regularHours('us_fx', rows)).toHaveLength(4)
    expect(isOpen('us_stocks', close)).toBe(false)
  })

  test("P21: refuses a stock's rows from before the calendar begins, with a clear error", () => {
    const rows = parseRecording(`${HEADER}${Date.parse('2001-09-10T14:00:00Z')},1,1`, 0)
    expect(() => regularHours('us_stocks', rows)).toThrow('begins with the year 2007')
    expect(regularHours('us_fx', rows)).toHaveLength(1)
  })
})
