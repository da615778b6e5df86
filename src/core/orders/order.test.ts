import { expect, it } from 'vitest'
import { readDirection, readResult } from '#core/orders/order.ts'

it.each([1, 2])('%i is a direction', (value) => {
  expect(readDirection(value)).toBe(value)
})

it.each([0, 3, -1, 1.5, Number.NaN])('%d is no direction', (value) => {
  expect(() => readDirection(value)).toThrow(`not a direction: ${value}`)
})

it.each([1, 2, 3])('%i is a result', (value) => {
  expect(readResult(value)).toBe(value)
})

it.each([0, 4, -1, 1.5, Number.NaN])('%d is no result', (value) => {
  expect(() => readResult(value)).toThrow(`not a result: ${value}`)
})
