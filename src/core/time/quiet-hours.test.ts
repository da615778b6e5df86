import { describe, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { quietUntil } from './quiet-hours.ts'

const at = (iso: string) => instant(Date.parse(iso))
const NIGHT = { from: 22 * 60, to: 8 * 60, zone: 'Europe/Berlin' }

describe('quiet hours', () => {
  it.each([
    ['2026-03-18T20:59:59Z', null],
    ['2026-03-18T21:00:00Z', '2026-03-19T07:00:00Z'],
    ['2026-03-19T01:30:12.345Z', '2026-03-19T07:00:00Z'],
    ['2026-03-19T06:59:59Z', '2026-03-19T07:00:00Z'],
    ['2026-03-19T07:00:00Z', null],
  ])('quiet hours hold %s until %s, over midnight', (now, until) => {
    expect(quietUntil(NIGHT, at(now))).toBe(until === null ? null : at(until))
  })

  it('quiet hours hold no message when they begin and end at the same minute', () => {
    expect(quietUntil({ ...NIGHT, to: NIGHT.from }, at('2026-03-18T21:00:00Z'))).toBeNull()
  })

  it('quiet hours follow the local time of the zone, even if its offset has half hours', () => {
    const hours = { from: 540, to: 600, zone: 'Asia/Kolkata' }
    expect(quietUntil(hours, at('2026-03-18T03:29:00Z'))).toBeNull()
    expect(quietUntil(hours, at('2026-03-18T03:31:00Z'))).toBe(at('2026-03-18T04:30:00Z'))
  })
})
