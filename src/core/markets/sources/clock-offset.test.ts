import { expect, it } from 'vitest'
import { ClockOffset } from '#core/markets/sources/clock-offset.ts'
import { instant } from '#core/time/instant.ts'

const MINUTE = 60_000

/**
 * Returns the estimated offset after one message per second. `delays`: receive time minus source time, in milliseconds.
 */
function after(...delays: readonly number[]): number {
  const offset = new ClockOffset()
  for (const [second, delay] of delays.entries()) {
    const now = second * 1_000
    offset.hears(instant(now - delay), instant(now))
  }
  return offset.ms
}
const seconds = (count: number, ms: number) => Array.from({ length: count }, () => ms)

it('the clock offset is the smallest delay', () => {
  expect(after()).toBe(0)
  expect(after(80)).toBe(80)
  expect(after(80, 30, 400)).toBe(30)
  expect(after(...seconds(30, 40), ...seconds(5, 3_000))).toBe(40)
})

it('the clock offset is negative when a clock is ahead', () => {
  expect(after(...seconds(30, -1_280))).toBe(-1_280)
})

it('the clock offset is not changed by one wrong time stamp', () => {
  expect(after(...seconds(15, 50), -4_900, ...seconds(20, 50))).toBe(50)
})

it('the clock offset is never more than two seconds', () => {
  expect(after(...seconds(30, 10_000))).toBe(2_000)
  expect(after(...seconds(30, -4_000))).toBe(-2_000)
})

it('the clock offset forgets delays after a minute', () => {
  expect(after(...seconds(60, 50), ...seconds(MINUTE / 1_000, 900))).toBe(900)
})
