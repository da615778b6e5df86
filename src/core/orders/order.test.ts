import { expect, it } from 'vitest'
import { readDirection, readResult } from '#core/orders/order.ts'

it.each([1, 2])('readDirection accepts %i', (value) => {
  expect(readDirection(value)).toBe(value)
})

it.each([0, 3, -1, 1.5, Number.NaN])('readDirection throws on %d', (value) => {
  expect(() => readDirection(value)).toThrow(`not a direction: ${value}`)
})

it.each([1, 2, 3, 4, 5])('readResult accepts %i', (value) => {
  expect(readResult(value)).toBe(value)
})

it.each([0, 6, -1, 1.5, Number.NaN])('readResult throws on %d', (value) => {
  expect(() => readResult(value)).toThrow(`not a result: ${value}`)
})
