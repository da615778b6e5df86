import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { OwnTrade } from '#contract/trades.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol } from '#test/support/web-fixtures.ts'
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
  fakeApi({
    'GET /user/trade-log/recent': { body: { data: { trades } } },
    'GET /user/crypto-currency/list': { body: { data: { currencies: [aSymbol(), aSymbol({ symbol: 'ETH' })] } } },
  })
  render(<OrdersRail />)
}

test('a single open order is shown at once', async () => {
  draw([TRADE])
  expect(await screen.findByText('1 order running')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: /Show the running order/ }))
  expect(location.pathname + location.search).toBe('/trade/BTC?order=FW-AAAA-BBBB-CCCC')
})

test('several open orders are listed with their sums, the next to settle first, and a press shows one', async () => {
  const later = { ...TRADE, id: 'o2', trx: 'FW-2', symbol: 'ETH', expires_at: '2026-03-18T15:02:00.000Z' }
  draw([later, { ...TRADE, id: 'o3', trx: 'FW-3', high_low: 2, amount: 2.5 }, TRADE])
  expect(await screen.findByText('3 orders running')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: /Show the open orders/ }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Open orders' }))
  expect(sheet.getByText('$22.50')).toBeDefined()
  expect(sheet.getByText('+$18.00')).toBeDefined()
  expect(sheet.getByText(/\$7\.50 more on Buy/)).toBeDefined()
  const rows = sheet.getAllByRole('listitem').map((row) => row.textContent)
  expect(rows.map((row) => /BTC|ETH/.exec(row ?? '')?.[0])).toEqual(['BTC', 'BTC', 'ETH'])
  await userEvent.click(sheet.getByRole('button', { name: /ETH/ }))
  expect(location.pathname + location.search).toBe('/trade/ETH?order=FW-2')
})

test('no row is shown without open orders', async () => {
  draw([{ ...TRADE, result: 1, result_amount: 8 }])
  await queryClient.refetchQueries()
  expect(screen.queryByRole('region', { name: 'Open orders' })).toBeNull()
})

test('F22: the space of the row stays when the last order ends, so that nothing moves', async () => {
  draw([TRADE])
  expect(await screen.findByText('1 order running')).toBeDefined()
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades: [{ ...TRADE, result: 1, result_amount: 8 }] } } } })
  await queryClient.invalidateQueries()
  await waitFor(() => expect(screen.queryByText('1 order running')).toBeNull())
  expect(document.querySelector('.h-15')).not.toBeNull()
})
