import { describe, expect, it, test } from 'vitest'
import { chanceOfSplit, hasTooManyVoids } from '#core/orders/void-limits.ts'

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [2, 0, 0.5],
  [5, 5, 1],
  [6, 4, 0.75390625],
  [10, 0, 0.001953125],
  [0, 11, 0.0009765625],
])('the chance of a split of %i to %i is %d', (one, other, chance) => {
  expect(chanceOfSplit(one, other)).toBe(chance)
  expect(chanceOfSplit(other, one)).toBe(chance)
})

test('the chance is exact for thousands of voids', () => {
  expect(chanceOfSplit(2_000, 2_000)).toBe(1)
  expect(chanceOfSplit(2_200, 1_800)).toBeLessThan(1e-9)
})

describe('a symbol takes no further orders', () => {
  const none = { orders: 1_000, voids: 0, againstUsers: 0, againstSite: 0 }

  it.each([
    ['with voids of 0.5 %', { orders: 1_000, voids: 5 }, false],
    ['with more than 0.5 %', { orders: 1_000, voids: 6 }, true],
    ['with less than 50 orders', { orders: 49, voids: 49 }, false],
    ['with one void of 50 orders', { orders: 50, voids: 1 }, true],
    ['with ten voids against users', { againstUsers: 10 }, false],
    ['with eleven voids against users', { againstUsers: 11 }, true],
    ['with eleven voids against the site', { againstSite: 11 }, true],
    ['with as many against users as against the site', { againstUsers: 50, againstSite: 50 }, false],
  ])('%s (%o): %s', (_, change, expected) => {
    expect(hasTooManyVoids({ ...none, ...change })).toBe(expected)
  })
})
