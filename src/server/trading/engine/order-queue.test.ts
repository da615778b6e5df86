import { describe, expect, it } from 'vitest'
import { shardOf } from '#server/trading/engine/user-shards.ts'
import { OrderQueue, type WaitingOrder } from '#server/trading/engine/order-queue.ts'
import { orderRequest } from '#test/support/order-request.ts'

const LANES = 2
const user = (nth: number) => `0195a000-0000-7000-8000-${nth.toString(16).padStart(12, '0')}`

const order = (userId: string, clientOrderId: string): WaitingOrder => ({
  request: orderRequest(userId, clientOrderId),
  answer: () => {},
  fail: () => {},
})

const ids = (orders: readonly WaitingOrder[]) => orders.map(({ request }) => request.clientOrderId)

describe('the queue of waiting orders', () => {
  it('puts all orders of a user into one lane, and spreads users over all lanes', () => {
    const lanes = Array.from({ length: 100 }, (_, nth) => shardOf(user(nth), LANES))
    expect(new Set(lanes)).toEqual(new Set([0, 1]))
    expect(shardOf(user(7), LANES)).toBe(shardOf(user(7), LANES))
    const queue = new OrderQueue(LANES)
    for (const id of ['first', 'second', 'third']) queue.add(order(user(3), id))
    queue.add(order(user(4), 'of another'))
    expect(ids(queue.take(10, shardOf(user(4), LANES)))).toEqual(['of another'])
    expect(ids(queue.take(10, shardOf(user(3), LANES)))).toEqual(['first', 'second', 'third'])
    expect(queue.length).toBe(0)
  })

  it('counts the orders of all lanes together', () => {
    const queue = new OrderQueue(LANES)
    for (const nth of [3, 4]) queue.add(order(user(nth), 'one'))
    expect(queue.length).toBe(2)
    queue.take(1, shardOf(user(3), LANES))
    expect(queue.length).toBe(1)
  })

  it('takes returned orders first, and takes the repeat of an order only with the next batch', () => {
    const queue = new OrderQueue(1)
    for (const id of ['a', 'b', 'a', 'c']) queue.add(order(user(3), id))
    const [first, ...others] = queue.take(2, 0)
    expect(ids([...(first ? [first] : []), ...others])).toEqual(['a', 'b'])
    queue.putBack(others)
    expect(ids(queue.take(10, 0))).toEqual(['b', 'a', 'c'])
  })
})
