import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OwnTrade } from '#contract/trades.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { OrdersRail } from '#web/shell/orders-rail.tsx'

const TRADE: OwnTrade = {
  id: 'o1',
  trx: 'FW-AAAA-BBBB-CCCC',
  clientOrderId: 'one',
  symbol: 'BTC',
  decimals: 2,
  market_type: 'crypto',
  high_low: 1,
  amount: 10,
  profit_percentage: 80,
  trade_setting: { time: 60, unit: 'minute' },
  opened_at: '2026-03-18T15:00:00.000Z',
  expires_at: '2026-03-18T15:01:00.000Z',
  price_was: 67_286.3,
  entry: { q: 1, time_ms: 1 },
  post_trade_price: null,
  result: 0,
  result_amount: null,
  void_reason: null,
  rule_version: 1,
  awaiting_record: null,
}

beforeEach(async () => {
  queryClient.clear()
  await loadTexts('trading')
})

function draw(trades: readonly OwnTrade[]) {
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades } } } })
  render(<OrdersRail />)
}

test('counts the open orders and leads to the next one to settle', async () => {
  draw([{ ...TRADE, id: 'o2', trx: 'FW-2', symbol: 'ETH', expires_at: '2026-03-18T15:02:00.000Z' }, TRADE])
  expect(await screen.findByText('2 orders running')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: /Show the running order/ }))
  expect(location.pathname + location.search).toBe('/trade/BTC?order=FW-AAAA-BBBB-CCCC')
})

test('shows nothing without open orders', async () => {
  draw([{ ...TRADE, result: 1, result_amount: 8 }])
  await queryClient.refetchQueries()
  expect(screen.queryByRole('region', { name: 'Open orders' })).toBeNull()
})
