import { expect, it } from 'vitest'
import { fillGaps } from './fill-gaps.ts'

it("fillGaps fills missing texts from English and keeps the language's own plurals", () => {
  const english = {
    a: { open: 'Open', orders_one: 'One order', orders_other: '{count} orders' },
    b: { close: 'Close' },
  }
  expect(fillGaps({ a: { orders_other: '注文{count}件' } }, english)).toEqual({
    a: { open: 'Open', orders_other: '注文{count}件' },
    b: { close: 'Close' },
  })
})
