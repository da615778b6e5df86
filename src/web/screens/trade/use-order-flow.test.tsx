import { sayToPage, sentMessages } from '#test/support/fake-app-socket.ts'
import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { money } from '#core/money/money.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { resultOf } from '#web/screens/trade/settled-trades.ts'
import { useListedResult, useOrderFlow } from '#web/screens/trade/use-order-flow.ts'
import { signIn } from '#web/session/session.ts'

const ORDER: PlacedOrder = {
  id: 'o1',
  clientOrderId: 'c1',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: 1,
  stake: 10,
  payout: 80,
  seconds: 60,
  openedAt: 0,
  expiresAt: 60_000,
  entryPrice: 1,
  entryAt: 0,
}
const TRADE: OwnTrade = {
  id: 'o1',
  trx: 'FW-1',
  clientOrderId: 'c1',
  symbol: 'BTC',
  decimals: 2,
  market_type: 'crypto',
  high_low: 1,
  amount: 10,
  profit_percentage: 80,
  trade_setting: { time: 60, unit: 'minute' },
  opened_at: '2026-03-18T15:00:00.000Z',
  expires_at: '2026-03-18T15:01:00.000Z',
  price_was: 1,
  entry: { q: 1, time_ms: 1 },
  post_trade_price: 0,
  result: 0,
  result_amount: null,
  void_reason: null,
  rule_version: 1,
  awaiting_record: null,
}
const RESULT = {
  id: 'o1',
  trx: 'FW-1',
  clientOrderId: 'c1',
  crypto: { name: 'Bitcoin', symbol: 'BTC', market_type: 'crypto' },
  high_low: 1,
  price_was: 1,
  post_trade_price: 2,
  amount: 10,
  result: 1,
  result_amount: 8,
  user_balance: 1_008,
}

it('SC4: an order whose result another device has confirmed ends with the result of the list, and with the balance of a later message', async () => {
  fakeApi({ 'GET /user/profile': { body: { data: { user: aUser() } } } })
  signIn({ token: 'ada', user: aUser() })
  await vi.waitFor(() => expect(sentMessages.length).toBeGreaterThan(0))
  const item = aSymbol({ symbol: 'BTC' })
  const { result, rerender } = renderHook(
    ({ trades }: { trades: readonly OwnTrade[] }) => {
      const handle = useOrderFlow(item)
      useListedResult(handle, trades, money(100_000n))
      return handle
    },
    { initialProps: { trades: [TRADE] } },
  )
  act(() => result.current.dispatch({ kind: 'show', order: ORDER }))
  expect(result.current.flow.step).toBe('completing')
  rerender({ trades: [{ ...TRADE, result: 1, result_amount: 8, post_trade_price: 2 }] })
  expect(result.current.flow).toMatchObject({ step: 'completed', isReview: false, result: { result: 1 } })
  act(() => sayToPage({ type: 'tradeResult', data: RESULT }))
  expect(result.current.flow).toMatchObject({ step: 'completed', result: { user_balance: 1_008 } })
})

it.each([
  ['a result that comes from the list of orders', false],
  ['a result that the user opens again', true],
])('F3: %s shows the balance that arrives after the list', (_, isReview) => {
  const item = aSymbol({ symbol: 'BTC' })
  const [order, open] = [
    { ...ORDER, id: 'o3' },
    { ...TRADE, id: 'o3' },
  ]
  const won = { ...open, result: 1, result_amount: 8, post_trade_price: 2 } as const
  const { result, rerender } = renderHook(
    ({ trades, balance }: { trades: readonly OwnTrade[]; balance: bigint }) => {
      const handle = useOrderFlow(item)
      return { ...handle, flow: useListedResult(handle, trades, money(balance)) }
    },
    { initialProps: { trades: [open], balance: 99_000n } },
  )
  const shown = isReview
    ? ({ kind: 'review', order, result: resultOf(won, money(99_000n)) } as const)
    : ({ kind: 'show', order } as const)
  act(() => result.current.dispatch(shown))
  rerender({ trades: [won], balance: 99_000n })
  expect(result.current.flow).toMatchObject({ step: 'completed', isReview, result: { user_balance: 990 } })
  rerender({ trades: [won], balance: 100_850n })
  expect(result.current.flow).toMatchObject({ step: 'completed', isReview, result: { user_balance: 1_008.5 } })
})
