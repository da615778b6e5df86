import { expect, it } from 'vitest'
import { stack } from '#back-office/plots/stack.ts'

it('stacks positive values above zero and negative values below', () => {
  expect(stack({ a: 2, b: -3, c: 5, d: -1 }, ['a', 'b', 'c', 'd'])).toEqual([
    { series: 'a', from: 0, to: 2 },
    { series: 'b', from: -3, to: 0 },
    { series: 'c', from: 2, to: 7 },
    { series: 'd', from: -4, to: -3 },
  ])
})

it('stack returns no parts for zero values', () => {
  expect(stack({ a: 0 }, ['a', 'b'])).toEqual([])
})
