import { expect, it } from 'vitest'
import { bannedMs, retryAfterMs } from '#server/market-data/feeds/providers/retry-after.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const DAY = 86_400_000

it.each([
  ['0', 0],
  ['1', 1_000],
  [' 720 ', 720_000],
  ['259200', 259_200_000],
  ['604800', 7 * DAY],
  ['99999999999999999999', 7 * DAY],
  ['Mon, 05 Jan 2026 12:12:00 GMT', 720_000],
  ['Thu, 08 Jan 2026 12:00:00 GMT', 3 * DAY],
  ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 05 Jan 2046 12:00:00 GMT', 7 * DAY],
  ['2026-01-05T13:00:00Z', 0],
  ['Mon, 99 Jan 2026 12:12:00 GMT', 0],
  ['-5', 0],
  ['1.5', 0],
  ['1e9', 0],
  ['soon', 0],
  ['', 0],
  [null, 0],
  [undefined, 0],
])('P6: reads Retry-After %j as a wait of %i ms', (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms)
})

it.each([
  [`{"code":-1003,"msg":"Way too much request weight used; IP banned until ${NOW + 720_000}. Please use"}`, 720_000],
  [`IP banned until ${NOW - 1}`, 0],
  ['banned until tomorrow', 0],
  ['', 0],
])('P6: reads %s as a wait of %i ms', (text, ms) => {
  expect(bannedMs(text, NOW)).toBe(ms)
})
