import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MarketList } from '#contract/markets.ts'
import { SELL } from '#core/orders/order.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { aSymbol } from '#test/support/web-fixtures.ts'
import { fromOwnTrade } from '#web/live/placed-order.ts'
import { OpenOrders } from '#web/screens/trade/open-orders.tsx'

const TRADE: OwnTrade = {
  id: 'o1',
  trx: 'FW-AAAA-BBBB-CCCC',
  clientOrderId: 'one',
  symbol: 'EURUSD',
  decimals: 5,
  market_type: 'us_fx',
  high_low: 1,
  amount: 10,
  profit_percentage: 80,
  trade_setting: { time: 62, unit: 'minute' },
  opened_at: '2026-03-18T15:00:00.000Z',
  expires_at: '2026-03-18T15:01:02.000Z',
  price_was: 1.08123,
  entry: { q: 1, time_ms: 1 },
  post_trade_price: null,
  result: 0,
  result_amount: null,
  void_reason: null,
  rule_version: 1,
  awaiting_record: null,
}

function draw(listed: readonly string[], trade = TRADE) {
  const list = { currencies: listed.map((symbol) => aSymbol({ symbol })), trade_settings: [] } as unknown as MarketList
  render(<OpenOrders list={list} trades={[trade]} running={[fromOwnTrade(trade)]} onShow={() => undefined} />)
}

test('F60: an order on a delisted symbol keeps its row, with its own name and decimals', () => {
  draw(['BTC'])
  const row = screen.getAllByRole('row')[1]
  expect(row?.textContent).toContain('EUR/USD')
  expect(row?.textContent).toContain('1.08123')
  expect(row?.textContent).toContain('$10.00')
})

test('F68: an order of 62 seconds is shown as 1 min 2 s', () => {
  draw([TRADE.symbol])
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('1m 2s')
})

test("an order that waits for its provider's history says so in place of the time left", () => {
  draw([TRADE.symbol], { ...TRADE, awaiting_record: 'binance' })
  expect(screen.getAllByRole('row')[1]?.textContent).toContain("Waiting for binance's record")
})

test('the list shows the sums of all open orders above their rows', () => {
  const list = { currencies: [aSymbol({ symbol: 'BTC' })], trade_settings: [] } as unknown as MarketList
  const one = { ...fromOwnTrade(TRADE), symbol: 'BTC' }
  const running = [one, { ...one, id: 'o2', direction: SELL, stake: 2.5 }]
  render(<OpenOrders list={list} trades={[]} running={running} onShow={() => undefined} />)
  const text = (name: string) => screen.getByText(name).parentElement?.textContent
  expect(text('Staked')).toBe('Staked$12.50')
  expect(text('If all are right')).toBe('If all are right+$10.00')
  expect(text('If all are wrong')).toBe('If all are wrong−$12.50')
  expect(screen.getByText('$7.50 more on Buy', { exact: false })).toBeDefined()
})
