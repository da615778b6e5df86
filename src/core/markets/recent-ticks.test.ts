import { expect, it } from 'vitest'
import { newestOfEachSecond } from '#core/markets/recent-ticks.ts'

it('newestOfEachSecond leaves only the last tick of each second, in order', () => {
  const ticks = [0, 999, 1_000, 1_001, 1_001, 5_000].map((time, q) => ({ time, q }))
  expect(newestOfEachSecond(ticks).map(({ q }) => q)).toEqual([1, 4, 5])
  expect(newestOfEachSecond([])).toEqual([])
})
