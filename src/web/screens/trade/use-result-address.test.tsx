import { act, render, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { OwnTrade } from '#contract/trades.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { keepUnseen } from '#web/live/unseen-results.ts'
import { IDLE } from '#web/screens/trade/order-flow.ts'
import { TradeScreen } from '#web/screens/trade/trade-screen.tsx'
import { useResultAddress } from '#web/screens/trade/use-result-address.ts'
import { setAddress } from '#web/session/location.ts'
import { signIn, signOut } from '#web/session/session.ts'

const RESULT: OrderResult = {
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
  user_balance: 8,
  account: 'live',
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
  post_trade_price: 2,
  result: 1,
  result_amount: 8,
  void_reason: null,
  rule_version: 1,
  awaiting_record: null,
}
const ADDRESS = '/trade/BTC?result=FW-1'

beforeEach(() => {
  signIn({ token: 't', user: aUser() })
  act(() => keepUnseen(RESULT))
})
afterEach(() => act(signOut))

const unseen = () => localStorage.getItem('unseen_results')
const shownAddress = () => location.pathname + location.search

function follow(trades: readonly OwnTrade[]) {
  const onReview = vi.fn<(trade: OwnTrade) => void>()
  act(() => setAddress(ADDRESS))
  renderHook(() =>
    useResultAddress({ flow: IDLE, symbol: 'BTC', trades, running: [], onReview, onShow: () => undefined }),
  )
  return onReview
}

it('F21: a result that is not among the recent orders is loaded by its reference and opened', async () => {
  fakeApi({ 'GET /user/trade/FW-1': { body: { data: { trade: TRADE } } } })
  const onReview = follow([{ ...TRADE, id: 'o2', trx: 'FW-2' }])
  await waitFor(() => expect(onReview).toHaveBeenCalledExactlyOnceWith(TRADE))
  expect(shownAddress()).toBe(ADDRESS)
})

it('F21: a result that is among the recent orders is opened without a request', () => {
  const { seen } = fakeApi({})
  expect(follow([TRADE])).toHaveBeenCalledExactlyOnceWith(TRADE)
  expect(seen).toEqual([])
})

it('F21: a result that cannot be loaded counts as seen, and its receipt opens', async () => {
  fakeApi({ 'GET /user/trade/FW-1': { status: 404, body: { code: 'not_found' } } })
  const onReview = follow([])
  await waitFor(() => expect(shownAddress()).toBe('/check/FW-1'))
  expect(unseen()).toBeNull()
  expect(onReview).not.toHaveBeenCalled()
})

it('F21: a result of a symbol that is no longer listed counts as seen, and its receipt opens', async () => {
  await loadTexts('trading')
  fakeApi({ 'GET /user/crypto-currency/list': { body: { data: { currencies: [aSymbol({ symbol: 'ETH' })] } } } })
  act(() => setAddress(ADDRESS))
  render(<TradeScreen params={{ symbol: 'BTC' }} />)
  await waitFor(() => expect(shownAddress()).toBe('/check/FW-1'))
  expect(unseen()).toBeNull()
})
