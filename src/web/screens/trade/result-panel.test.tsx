import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { ResultPanel } from '#web/screens/trade/result-panel.tsx'

const ORDER: PlacedOrder = {
  id: 'a',
  clientOrderId: 'c',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: BUY,
  stake: 100,
  payout: 85,
  seconds: 300,
  openedAt: Date.UTC(2026, 0, 5, 10, 0, 0, 978),
  expiresAt: Date.UTC(2026, 0, 5, 10, 5, 0, 978),
  entryPrice: 67_286.3,
  entryAt: Date.UTC(2026, 0, 5, 10, 0, 0, 637),
}
const WON: OrderResult = {
  id: 'a',
  trx: 'FW-1',
  clientOrderId: 'c',
  crypto: { name: 'Bitcoin', symbol: 'BTC', market_type: 'crypto' },
  high_low: 1,
  price_was: 67_286.3,
  post_trade_price: 67_318.9,
  amount: 100,
  result: 1,
  result_amount: 85,
  user_balance: 2_565.5,
  account: 'live',
}

const steps = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('SC14, P17: the panel shows acceptance, entry, expiry, exit and next tick with milliseconds, in this order', async () => {
  draw(WON)
  expect(screen.getByRole('heading', { name: 'You won' })).toBeDefined()
  expect(screen.getByText('+$85.00')).toBeDefined()
  expect(screen.getByText('$2,565.50')).toBeDefined()
  expect(await screen.findByText('10:04:59.941 UTC')).toBeDefined()
  expect(screen.getByRole('list', { name: 'Times of the order' })).toBeDefined()
  expect(steps()).toEqual([
    'Accepted10:00:00.978 UTC',
    'Entry10:00:00.637 UTC67,286.3000',
    'Expiry10:05:00.978 UTC · 5 min after acceptance',
    'Exit, last tick before expiry10:04:59.941 UTC67,318.9000',
    'Next tick, not counted10:05:01.209 UTC67,319.6000',
  ])
})

test('P17: the panel shows the day of each time for an order past midnight', async () => {
  const [openedAt, expiresAt] = [Date.UTC(2026, 0, 5, 23, 58), Date.UTC(2026, 0, 6, 0, 3)]
  draw(WON, { order: { ...ORDER, openedAt, expiresAt, entryAt: openedAt - 1 } })
  expect(await screen.findByText(/^.?5 Jan.? .?23:57:59\.999 UTC.?$/)).toBeDefined()
  expect(screen.getByText(/^.?6 Jan.? .?00:03:00\.000 UTC.?$/)).toBeDefined()
})

test('P17: the panel uses the chosen clock', async () => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(-330)
  draw(WON)
  expect(await screen.findByText('15:35:00.978 UTC+5:30')).toBeDefined()
  vi.restoreAllMocks()
})

test('P18: the panel requests the tick after the expiry until it arrives', async () => {
  draw(WON, { nextComesAtAnswer: 2 })
  expect(await screen.findByText('10:04:59.941 UTC')).toBeDefined()
  expect(screen.queryByText('67,319.6000')).toBeNull()
  expect(steps().at(-1)).toBe('Next tick, not countedNo later tick is known yet.')
  expect(await screen.findByText('67,319.6000')).toBeDefined()
})

test('P17: a void shows no exit but its reason, and the tick after its expiry', async () => {
  draw({ ...WON, result: 3, result_amount: 0, post_trade_price: null, void_reason: 'no_tick_before_expiry' })
  expect(await screen.findByText('10:05:01.209 UTC')).toBeDefined()
  expect(steps().slice(2)).toEqual([
    'Expiry10:05:00.978 UTC · 5 min after acceptance',
    'Exit, last tick before expiryNo price arrived shortly before the expiry.',
    'Next tick, not counted10:05:01.209 UTC67,319.6000',
  ])
})

test('a sold order shows its sale before the expiry, and no tick after it', async () => {
  draw({ ...WON, result: 5, result_amount: -11.5 })
  expect(screen.getByRole('heading', { name: 'Sold back' })).toBeDefined()
  expect(await screen.findByText('10:04:59.941 UTC')).toBeDefined()
  expect(steps().slice(2)).toEqual([
    'Sold back10:04:59.941 UTC67,318.9000',
    'Expiry10:05:00.978 UTC · 5 min after acceptance',
  ])
})

test('SC14: a loss has the same panel', async () => {
  const { continued, user } = draw({ ...WON, result: 2, result_amount: -100 })
  expect(screen.getByRole('heading', { name: 'You lose' })).toBeDefined()
  expect(screen.getByText('−$100.00')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(continued()).toBe(1)
})

test('the panel takes no focus and no press for 400 ms, whatever the outcome', () => {
  vi.useFakeTimers()
  for (const result of [WON, { ...WON, result: 2, result_amount: -100 }] as const) {
    draw(result)
    const bar = () => screen.getByRole('button', { name: 'Continue', hidden: true }).parentElement
    act(() => void vi.advanceTimersByTime(399))
    expect(bar()?.hasAttribute('inert')).toBe(true)
    act(() => void vi.advanceTimersByTime(1))
    expect(bar()?.hasAttribute('inert')).toBe(false)
    cleanup()
  }
  vi.useRealTimers()
})

test('a loss differs from a win only by its mark, its wording, its amount and the celebration', () => {
  const shown = (result: OrderResult) => {
    draw(result)
    const main = screen.getByRole('button', { name: 'Continue', hidden: true }).closest('.isolate')
    main?.querySelector('canvas')?.remove()
    main?.querySelector('h2')?.parentElement?.remove()
    const rest = main?.outerHTML
    cleanup()
    return rest
  }
  const won = shown(WON)
  expect(won).toContain('Continue')
  expect(shown({ ...WON, result: 2, result_amount: -100 })).toBe(won)
})

test('a void shows its reason and the returned stake', () => {
  draw({ ...WON, result: 3, result_amount: 0, post_trade_price: null, void_reason: 'no_tick_before_expiry' })
  expect(screen.getByRole('heading', { name: 'Void' })).toBeDefined()
  expect(
    screen.getByText(/No price arrived shortly before .* Your stake of \$100\.00 was returned in full\./),
  ).toBeDefined()
})

test('SC14: a draw shows the returned stake', () => {
  draw({ ...WON, result: 3, result_amount: 0, post_trade_price: 67_286.3 })
  expect(screen.getByRole('heading', { name: 'Draw' })).toBeDefined()
  expect(screen.getByText('Exit equals entry. Your stake of $100.00 was returned.')).toBeDefined()
})

function draw(result: OrderResult, { nextComesAtAnswer = 1, order = ORDER } = {}) {
  let count = 0
  let answers = 0
  const tick = (price: number, time: number) => ({ q: 1, price, time_ms: time, source: 'synthetic' })
  const ticks = {
    entry: tick(67_286.3, ORDER.entryAt),
    exit: result.post_trade_price === null ? null : tick(result.post_trade_price, Date.UTC(2026, 0, 5, 10, 4, 59, 941)),
    around: [],
  }
  fakeApi({
    'GET /user/trade/a': () => {
      const next = ++answers < nextComesAtAnswer ? null : tick(67_319.6, ORDER.expiresAt + 231)
      return { body: { data: { trade: {}, ticks: { ...ticks, next } } } }
    },
  })
  queryClient.clear()
  render(
    <QueryClientProvider client={queryClient}>
      <ResultPanel order={order} result={result} title="BTC/USDT" decimals={2} onContinue={() => count++} />
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), continued: () => count }
}

test('a win of money is celebrated, and the same win in practice is not', () => {
  draw(WON)
  expect(document.querySelectorAll('canvas')).toHaveLength(1)
  cleanup()
  draw({ ...WON, account: 'practice' })
  expect(document.querySelectorAll('canvas')).toHaveLength(0)
})
