import { expect, it } from 'vitest'
import { fillGaps } from './fill-gaps.ts'

it('puts English where a language has nothing, and leaves its own plurals alone', () => {
  const english = {
    a: { open: 'Open', orders_one: 'One order', orders_other: '{count} orders' },
    b: { close: 'Close' },
  }
  expect(fillGaps({ a: { orders_other: '注文{count}件' } }, english)).toEqual({
    a: { open: 'Open', orders_other: '注文{count}件' },
    b: { close: 'Close' },
  })
})
