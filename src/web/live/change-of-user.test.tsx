import { sayToPage, sentMessages } from '#test/support/fake-app-socket.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { parseMoney } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { placedAlert } from '#web/alerts/placed-alert.ts'
import { hasOpenWork } from '#web/app-install/open-work.ts'
import { placeOrder, usePendingOrders } from '#web/live/live-client.ts'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'
import { setRealityCheck, useRealityCheck } from '#web/session/reality-check.ts'
import { getSession, signIn, signOut } from '#web/session/session.ts'

const ORDER = { type: 'buy', tradeSettingId: 1, amount: '20.00', symbol: 'btc', marketType: 'crypto' } as const
const logIn = (name: string, balance = 100) => signIn({ token: name, user: aUser({ id: name, balance }) })
const placedIds = () => sentMessages.flatMap(({ action, data }) => (action === 'newTrade' && data ? data : []))
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

beforeEach(() => {
  sentMessages.length = 0
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades: [] } } } })
  logIn('ada')
})

/** Places an order of the current user, and returns its id. */
async function placed(): Promise<string> {
  void placeOrder(ORDER)
  await vi.waitFor(() => expect(placedIds()).toHaveLength(1))
  return placedIds()[0]?.clientOrderId ?? ''
}

it('after a change of the user, the open orders, the reality check and the prepared orders of the former user are gone', async () => {
  const { result } = renderHook(() => ({ own: useOwnTrades(), check: useRealityCheck() }), { wrapper })
  const clientOrderId = await placed()
  act(() => sayToPage(acceptance(clientOrderId)))
  expect(result.current.own.running.map(({ id }) => id)).toEqual(['trade-1'])
  act(() => {
    setRealityCheck({ id: 'check' } as never)
    orderToRepeat.set({
      symbol: 'BTC',
      direction: BUY,
      seconds: 60,
      stake: parseMoney('20') ?? 0n,
      payout: 85,
    } as never)
    placedAlert.set({ symbol: 'BTC', id: null, level: '5' })
  })
  expect(result.current.check).not.toBeNull()
  act(signOut)
  act(() => logIn('bob'))
  expect(result.current.own.running).toEqual([])
  expect(result.current.check).toBeNull()
  expect([orderToRepeat.get(), placedAlert.get()]).toEqual([null, null])
})

it('an order without a reply is pending for its own user only, and its late reply changes nothing for another user', async () => {
  const { result } = renderHook(() => usePendingOrders())
  const clientOrderId = await act(placed)
  expect(result.current).toHaveLength(1)
  expect(hasOpenWork()).toBe(true)
  act(signOut)
  act(() => logIn('bob', 500))
  expect([result.current, hasOpenWork()]).toEqual([[], false])
  act(() => sayToPage({ type: 'newTrade', status: 'error', message: 'No', code: 'bad_request', clientOrderId: null }))
  act(() => logIn('ada'))
  expect(result.current).toHaveLength(1)
  act(() => logIn('bob', 500))
  act(() => sayToPage(acceptance(clientOrderId)))
  expect(getSession()?.user.balance).toBe(500)
})

function acceptance(clientOrderId: string): object {
  const data = {
    id: 'trade-1',
    trx: 'TRX',
    clientOrderId,
    symbol: 'BTC',
    high_low: 1,
    amount: 20,
    profit_percentage: 85,
    time: 60,
    opened_at: '2026-01-05T10:00:00.000Z',
    expires_at: '2026-01-05T10:01:00.000Z',
    entry: { q: 1, time_ms: 1 },
    user_balance: 80,
    account: 'live',
  }
  return { type: 'newTrade', status: 'success', trade_price: 67_000.5, data }
}
