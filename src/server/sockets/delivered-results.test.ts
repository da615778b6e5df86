import { beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { BUY, DRAW } from '#core/orders/order.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import { DeliveredResults } from '#server/sockets/delivered-results.ts'

let deliveredResults: DeliveredResults
beforeEach(() => {
  deliveredResults = new DeliveredResults()
})

function result(userId: string, resultNumber: number | null): SettledOrder {
  const orderId = `${userId}-${resultNumber}`
  const own = { userId, orderId, trx: orderId, clientOrderId: orderId, symbolId: 1, direction: BUY }
  const amounts = { stake: money(1n), resultAmount: money(0n), balanceAfter: money(1n) }
  return { ...own, ...amounts, entryPrice: price(1), exitPrice: null, result: DRAW, voidReason: null, resultNumber }
}

describe('the number of a delivered result', () => {
  it('can be taken once by its user', () => {
    deliveredResults.add(result('ada', 1))
    deliveredResults.add(result('ada', 2))
    expect(deliveredResults.takeNumber('bob', 'ada-1')).toBeNull()
    expect(deliveredResults.takeNumber('ada', 'ada-1')).toBe(1)
    expect(deliveredResults.takeNumber('ada', 'ada-1')).toBeNull()
    expect(deliveredResults.takeNumber('ada', 'ada-2')).toBe(2)
    expect(deliveredResults.takeNumber('ada', 'ada-2')).toBeNull()
  })

  it('does not exist for results that are older than result numbers', () => {
    deliveredResults.add(result('ada', null))
    expect(deliveredResults.has('ada-null')).toBe(true)
    expect(deliveredResults.takeNumber('ada', 'ada-null')).toBeNull()
  })

  it('stays cached for the newest hundred results, and a resent result evicts no other result', () => {
    for (let number = 1; number <= 101; number += 1) deliveredResults.add(result('ada', number))
    deliveredResults.add(result('ada', 101))
    expect(deliveredResults.takeNumber('ada', 'ada-1')).toBeNull()
    expect(deliveredResults.takeNumber('ada', 'ada-2')).toBe(2)
    expect(deliveredResults.takeNumber('ada', 'ada-101')).toBe(101)
  })

  it('disappears when its user disconnects', () => {
    deliveredResults.add(result('ada', 1))
    deliveredResults.add(result('bob', 1))
    deliveredResults.leave('ada')
    expect(deliveredResults.takeNumber('ada', 'ada-1')).toBeNull()
    expect(deliveredResults.takeNumber('bob', 'bob-1')).toBe(1)
  })
})

it('remembers the newest ten thousand results, confirmed or not, and forgets older results', () => {
  for (let number = 1; number <= 20_000; number += 1) deliveredResults.add(result('ada', number))
  expect(deliveredResults.has('ada-10001')).toBe(true)
  deliveredResults.takeNumber('ada', 'ada-20000')
  expect(deliveredResults.has('ada-20000')).toBe(true)
  expect(deliveredResults.has('ada-10000')).toBe(false)
  expect(deliveredResults.has('ada-20001')).toBe(false)
})
