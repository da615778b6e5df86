import { dropConnections, sayToPage, sentMessages } from '#test/support/fake-app-socket.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TradeSettingOut } from '#contract/markets.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { money } from '#core/money/money.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { findLastOrder, keepLastOrder } from '#web/live/last-orders.ts'
import { onResult, placeOrder, usePendingOrders } from '#web/live/live-client.ts'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { keepUnseen, useUnseenResults } from '#web/live/unseen-results.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'
import { keepStake } from '#web/options/options.ts'
import { type OrderView, startForm } from '#web/screens/trade/order-form.ts'
import { useOrderFlow } from '#web/screens/trade/use-order-flow.ts'
import { chooseAccount } from '#web/session/account.ts'
import { getSession, signIn, signOut } from '#web/session/session.ts'
import { useOwnBalance } from '#web/site/practice-account.ts'

const PRACTICE = {
  exists: true,
  balance: 10_000,
  open_orders: 0,
  granted: 10_000,
  reset_at: null,
  may_reset_at: null,
}
const SETTING = { id: 1, time: 60, unit: 'minute', min_amount: 1, max_amount: 500, profit_percentage: 80, changes: [] }
const VIEW: OrderView = {
  setting: SETTING as TradeSettingOut,
  stake: money(2_000),
  profit: null,
  breakEven: null,
  problem: null,
  flaw: null,
  closesFirst: new Set(),
  maySubmit: true,
}
const ITEM = aSymbol()
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

interface SentOrder {
  readonly clientOrderId: string
  readonly account: AccountName
}
const sentOrders = () => sentMessages.flatMap(({ action, data }) => (action === 'newTrade' ? [data as SentOrder] : []))
const sent = (action: string) => sentMessages.filter((message) => message.action === action)

let api: ReturnType<typeof fakeApi>
beforeEach(async () => {
  act(signOut)
  queryClient.clear()
  api = fakeApi({
    'GET /user/trade-log/recent': { body: { data: { trades: [] } } },
    'GET /user/profile': () => ({ body: { data: { user: getSession()?.user } } }),
    'GET /user/practice': { body: { data: PRACTICE } },
  })
  act(() => signIn({ token: 'ada', user: aUser({ id: 'ada' }) }))
  await vi.waitUntil(() => sent('subscribe').length > 0)
  sentMessages.length = 0
})

it('an order names the account that was on screen when it was sent, however often the account changes', () => {
  const { result } = renderHook(() => useOrderFlow(ITEM), { wrapper })
  const shown: AccountName[] = []
  for (let n = 0; n < 200; n++) {
    const account = (n * n) % 7 < 3 ? 'practice' : 'live'
    act(() => chooseAccount(account))
    act(() => result.current.submit(startForm(), VIEW))
    shown.push(account)
    // The reply arrives while the account may have changed again.
    act(() => chooseAccount(n % 2 === 0 ? 'live' : 'practice'))
    act(() => sayToPage(refusal(sentOrders().at(-1)?.clientOrderId ?? '')))
  }
  expect(sentOrders().map(({ account }) => account)).toEqual(shown)
})

it('an order that is sent again after a loss of the connection names its account, although another one is on screen', async () => {
  act(() => chooseAccount('practice'))
  void placeOrder({ ...REQUEST, account: 'practice' })
  act(() => chooseAccount('live'))
  dropConnections()
  await vi.waitFor(() => expect(sentOrders()).toHaveLength(2), { timeout: 5_000 })
  expect(sentOrders().map(({ account }) => account)).toEqual(['practice', 'practice'])
  act(() => sayToPage(acceptance(sentOrders()[0]?.clientOrderId ?? '', 'practice')))
})

it.each([
  ['practice', 'live'],
  ['live', 'practice'],
] as const)('nothing of an order of %s shows under %s', async (own, other) => {
  act(() => chooseAccount(own))
  const { result } = renderHook(
    () => ({
      trades: useOwnTrades(),
      pending: usePendingOrders(),
      unseen: useUnseenResults(),
      balance: useOwnBalance(),
    }),
    { wrapper },
  )
  await waitFor(() => expect(result.current.trades.trades).toEqual([]))
  await act(async () => void placeOrder({ ...REQUEST, account: own }))
  expect(result.current.pending).toHaveLength(1)
  act(() => chooseAccount(other))
  expect(result.current.pending).toHaveLength(0)
  const before = result.current.balance
  act(() => sayToPage(acceptance(sentOrders()[0]?.clientOrderId ?? '', own)))
  expect(result.current.trades.running).toEqual([])
  expect(result.current.balance).toBe(before)
  act(() => keepUnseen({ ...RESULT, account: own }))
  expect(result.current.unseen).toEqual([])
  expect(api.seen.filter(({ route }) => route === 'GET /user/trade-log/recent').at(-1)?.query).toEqual({
    account: other,
  })
  act(() => chooseAccount(own))
  expect(result.current.trades.running.map(({ id }) => id)).toEqual(['trade-1'])
  expect(result.current.unseen.map(({ id }) => id)).toEqual([RESULT.id])
})

it.each(['live', 'practice'] as const)(
  'a result of the other account is neither shown nor confirmed under %s, and comes again after a change',
  async (shown) => {
    act(() => chooseAccount(shown))
    sentMessages.length = 0
    const received: unknown[] = []
    const stop = onResult((result) => received.push(result.account))
    const other = shown === 'live' ? 'practice' : 'live'
    const id = `of-${other}`
    act(() => sayToPage({ type: 'tradeResult', data: { ...RESULT, id, account: other } }))
    expect([received, sent('seen')]).toEqual([[], []])
    act(() => chooseAccount(other))
    expect(sent('subscribe')).toHaveLength(1)
    act(() => sayToPage({ type: 'tradeResult', data: { ...RESULT, id, account: other } }))
    expect(received).toEqual([other])
    expect(sent('seen')).toEqual([{ action: 'seen', ids: [id] }])
    stop()
  },
)

it('a practice order changes the practice balance, and never the balance of money', async () => {
  act(() => chooseAccount('practice'))
  const { result } = renderHook(() => useOwnBalance())
  await waitFor(() => expect(result.current).toBe(1_000_000n))
  await act(async () => void placeOrder({ ...REQUEST, account: 'practice' }))
  act(() => sayToPage(acceptance(sentOrders()[0]?.clientOrderId ?? '', 'practice')))
  expect(result.current).toBe(998_000n)
  expect(getSession()?.user.balance).toBe(100)
  act(() => chooseAccount('live'))
  expect(result.current).toBe(10_000n)
})

it('a stake and the terms of a former order are not proposed for the other account', () => {
  keepStake.choose('on')
  act(() => chooseAccount('practice'))
  keepLastOrder('BTC', { settingId: 1, stake: money(500_000) }, 'practice')
  expect(findLastOrder('BTC')?.stake).toBe(500_000n)
  orderToRepeat.set({ symbol: 'BTC', direction: 1, seconds: 60, stake: money(500_000), payout: 80 })
  act(() => chooseAccount('live'))
  expect([findLastOrder('BTC'), orderToRepeat.get()]).toEqual([null, null])
  keepStake.choose('off')
})

it('after a log-out the next user starts with the live account, without the practice balance', async () => {
  act(() => chooseAccount('practice'))
  const { result } = renderHook(() => useOwnBalance())
  await waitFor(() => expect(result.current).toBe(1_000_000n))
  act(signOut)
  act(() => signIn({ token: 'bob', user: aUser({ id: 'bob', balance: 7 }) }))
  expect(result.current).toBe(700n)
})

const REQUEST = { type: 'buy', tradeSettingId: 1, amount: '20.00', symbol: 'btc', marketType: 'crypto' } as const

const RESULT = {
  id: 'trade-9',
  trx: 'TRX9',
  clientOrderId: 'c9',
  crypto: { name: 'Bitcoin', symbol: 'BTC', market_type: 'crypto' },
  high_low: 1,
  price_was: 1,
  post_trade_price: 2,
  amount: 20,
  result: 1,
  result_amount: 16,
  user_balance: 9_996,
} as const

function refusal(clientOrderId: string): object {
  return { type: 'newTrade', status: 'error', message: 'No', code: 'payout_changed', clientOrderId }
}

function acceptance(clientOrderId: string, account: AccountName): object {
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
    user_balance: 9_980,
    account,
  }
  return { type: 'newTrade', status: 'success', trade_price: 67_000.5, data }
}
