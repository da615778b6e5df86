import { expect, it } from 'vitest'
import { LoadShedder } from '#server/trading/engine/load-shedding.ts'

it.each([
  [-1, 0],
  [0, 0],
  [0.125, 125],
  [0.5, 500],
  [1, 1_000],
  [7, 1_000],
])('at a load of %d refuses %d of a thousand orders', (pressure, refused) => {
  const admission = new LoadShedder()
  const answers = Array.from({ length: 1_000 }, () => admission.refuses(pressure))
  expect(answers.filter(Boolean)).toHaveLength(refused)
})

it('spreads refusals evenly, and forgets earlier load after a time without load', () => {
  const admission = new LoadShedder()
  const answers = (pressure: number, count: number) => Array.from({ length: count }, () => admission.refuses(pressure))
  expect(answers(0.25, 8)).toEqual([false, false, false, true, false, false, false, true])
  expect(answers(0.75, 1)).toEqual([false])
  expect(answers(0, 2)).toEqual([false, false])
  expect(answers(0.75, 2)).toEqual([false, true])
})
