import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import userEvent from '@testing-library/user-event'
import type { PublicTrade } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { SELL } from '#core/orders/order.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { publishTick } from '#web/live/live-store.ts'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { RecentTrades } from '#web/screens/trade/recent-trades.tsx'
import type { OwnTrades } from '#web/live/use-own-trades.ts'

const NONE: OwnTrades = { trades: [], isFailed: false, running: [] }

function draw(isOpen: boolean, own = NONE) {
  fakeApi({ 'POST /user/latest_trades': { body: { data: { trades: [], older_id: null } } } })
  queryClient.clear()
  render(
    <QueryClientProvider client={queryClient}>
      <RecentTrades item={aSymbol()} isOpen={isOpen} own={own} />
    </QueryClientProvider>,
  )
}

test('public trades come first while the market is open', async () => {
  draw(true)
  expect(screen.getByText('loading transactions')).toBeDefined()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Public', 'Own'])
  expect(await screen.findByText('transactions not found')).toBeDefined()
})

test("SC15, ET4: a closed market shows only the user's own trades", () => {
  draw(false)
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Own'])
  expect(screen.getByText('transactions not found')).toBeDefined()
})

test("ET5: the user's own trades show loading until they arrive", () => {
  draw(false, { ...NONE, trades: null })
  expect(screen.getByText('loading transactions')).toBeDefined()
})

const orders = Array.from(
  { length: 40 },
  (_, at): PublicTrade => ({
    id: `order-${at}`,
    user: `u•••${at}`,
    is_bot: at % 2 === 0,
    price: 100 + at,
    time: 60,
    unit: 'minute',
    direction: 1,
    opened_at: new Date(1_795_000_000_000 + at * 1_000).toISOString(),
  }),
)

/** Renders the public list of a server that has accepted the first `taken` orders. */
function drawPublic(own = NONE) {
  const market = { acceptedCount: 20 }
  const { seen } = fakeApi({
    'POST /user/latest_trades': ({ body }) => {
      const { count } = body as { count: number }
      const newest = orders.slice(0, market.acceptedCount).toReversed()
      return { body: { data: { trades: newest.slice(0, count), older_id: newest[count]?.id ?? null } } }
    },
  })
  queryClient.clear()
  publishTick('BTC', { price: 67_000.5, change: 0, time: 1_795_000_000_000, stale: false })
  render(
    <QueryClientProvider client={queryClient}>
      <RecentTrades item={aSymbol()} isOpen own={own} />
    </QueryClientProvider>,
  )
  const names = () => screen.getAllByRole('listitem').map((row) => row.querySelector('bdi, b')?.textContent)
  return { market, names, requests: () => seen.map(({ body }) => body) }
}

test('F54: the list requests fifteen orders, then one order every 2 s, and more orders only to fill a gap', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  try {
    const { market, names, requests } = drawPublic()
    await vi.waitFor(() => expect(names()[0]).toBe('u•••19'))
    expect(names()).toHaveLength(15)
    market.acceptedCount = 21
    await vi.waitFor(() => expect(names()[0]).toBe('u•••20'))
    expect([names().length, names().at(-1)]).toEqual([15, 'u•••6'])
    expect(requests().slice(0, 2)).toEqual([
      { currency: 'BTC', price: 67_000.5, count: 15 },
      { currency: 'BTC', price: 67_000.5, count: 1 },
    ])
    expect(
      requests()
        .slice(1)
        .every((body) => (body as { count: number }).count === 1),
    ).toBe(true)
    market.acceptedCount = 25
    await vi.waitFor(() => expect(names().slice(0, 5)).toEqual(['u•••24', 'u•••23', 'u•••22', 'u•••21', 'u•••20']))
    expect(requests().at(-1)).toMatchObject({ count: 15 })
    expect(new Set(names()).size).toBe(15)
  } finally {
    vi.useRealTimers()
  }
})

test('F36: own orders in the public list are "You", and bots are marked', async () => {
  const own = { ...NONE, trades: [{ id: 'order-19' }] as unknown as OwnTrades['trades'] }
  const { names } = drawPublic(own)
  await screen.findByText('You')
  expect(names().slice(0, 2)).toEqual(['You', 'u•••18'])
  const [, bot] = screen.getAllByRole('listitem')
  expect(bot && within(bot).getByText('bot')).toBeTruthy()
})

test('every own trade, whatever its result, has a button that fills its terms into the form again', async () => {
  const trade: OwnTrade = {
    id: 'o1',
    trx: 'FW-1',
    clientOrderId: 'one',
    symbol: 'BTC',
    decimals: 2,
    market_type: 'crypto',
    high_low: SELL,
    amount: 12.5,
    profit_percentage: 80,
    trade_setting: { time: 300, unit: 'minute' },
    opened_at: '2026-03-18T15:00:00.000Z',
    expires_at: '2026-03-18T15:05:00.000Z',
    price_was: 67_286.3,
    entry: { q: 1, time_ms: 1 },
    post_trade_price: 67_280,
    result: 1,
    result_amount: 10,
    void_reason: null,
    rule_version: 2,
    awaiting_record: null,
  }
  const results = [1, 2, 3, 5] as const
  const trades = [
    ...results.map((result) => ({ ...trade, id: `o${result}`, result })),
    { ...trade, id: 'void', result: 3 as const, void_reason: 'no_tick' },
  ]
  draw(false, { ...NONE, trades })
  const buttons = screen.getAllByRole('button', { name: 'Same order again' })
  expect(buttons).toHaveLength(5)
  const terms = { symbol: 'BTC', direction: SELL, seconds: 300, stake: 1_250n, payout: 80 }
  for (const button of buttons) {
    orderToRepeat.set(null)
    await userEvent.click(button)
    expect(orderToRepeat.get()).toEqual(terms)
    expect(location.pathname).toBe('/trade/BTC')
  }
})
