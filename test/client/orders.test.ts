import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FairwickError } from '../../clients/js/src/call.ts'
import { createOrders } from '../../clients/js/src/orders.ts'

const ORDER = { type: 'buy', symbol: 'BTC', tradeSettingId: 1, amount: '1', clientOrderId: 'one' } as const
const REFUSED = {
  type: 'newTrade',
  status: 'error',
  code: 'not_signed_in',
  message: '',
  clientOrderId: 'one',
} as const

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Places an order that is sent twice and then refused, so that the client looks it up. */
function lookedUp(findRecent: () => Promise<never>) {
  const orders = createOrders({ send: () => true, findRecent })
  orders.timePing()
  orders.takeTime(Date.now())
  const placed = orders.place(ORDER).catch((error: unknown) => error)
  orders.connected()
  orders.take(REFUSED)
  return { orders, placed }
}

it('the look-up of an order ends when the client closes', async () => {
  const findRecent = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('no network')))
  const { orders, placed } = lookedUp(findRecent)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(findRecent).toHaveBeenCalledTimes(2)
  orders.close(new FairwickError('closed'))
  await expect(placed).resolves.toMatchObject({ code: 'closed' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(findRecent).toHaveBeenCalledTimes(2)
  expect(vi.getTimerCount()).toBe(0)
})

it('the look-up of an order ends when the server refuses the key', async () => {
  const findRecent = vi.fn<() => Promise<never>>(() =>
    Promise.reject(new FairwickError('not_signed_in', '', { status: 401 })),
  )
  const { placed } = lookedUp(findRecent)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(findRecent).toHaveBeenCalledTimes(1)
  await expect(placed).resolves.toMatchObject({ code: 'not_signed_in', status: 401 })
})
