import { expect, it } from 'vitest'
import { lengthParts } from '#core/time/length-parts.ts'

it.each<[seconds: number, parts: string]>([
  [0, '0 seconds'],
  [1, '1 seconds'],
  [30, '30 seconds'],
  [60, '1 minutes'],
  [62, '1 minutes 2 seconds'],
  [90, '1 minutes 30 seconds'],
  [3_600, '1 hours'],
  [3_661, '1 hours 1 minutes 1 seconds'],
  [86_400, '1 days'],
  [90_000, '1 days 1 hours'],
  [172_799, '1 days 23 hours 59 minutes 59 seconds'],
])('F68: lengthParts splits %i seconds into %s', (seconds, parts) => {
  expect(
    lengthParts(seconds)
      .map(({ count, unit }) => `${count} ${unit}`)
      .join(' '),
  ).toBe(parts)
})
