import { expect, it } from 'vitest'
import { type DayStart, dayStartedAt } from '#core/time/day-start.ts'
import { instant, toIso } from '#core/time/instant.ts'

it.each<[DayStart, string, string]>([
  ['utc', '2026-03-18T15:00:00.000Z', '2026-03-18T00:00:00.000Z'],
  ['utc', '2026-03-18T00:00:00.000Z', '2026-03-18T00:00:00.000Z'],
  ['utc', '2026-03-17T23:59:59.999Z', '2026-03-17T00:00:00.000Z'],
  ['hkt', '2026-03-18T15:00:00.000Z', '2026-03-17T16:00:00.000Z'],
  ['hkt', '2026-03-18T15:59:59.999Z', '2026-03-17T16:00:00.000Z'],
  ['hkt', '2026-03-18T16:00:00.000Z', '2026-03-18T16:00:00.000Z'],
])('dayStartedAt by %s for %s is %s', (start, at, began) => {
  expect(toIso(dayStartedAt(start, instant(Date.parse(at))))).toBe(began)
})
