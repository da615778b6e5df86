import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { MarketList } from '#contract/markets.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { setConnection } from '#web/live/live-store.ts'
import { MarketScreen } from '#web/screens/market/market-screen.tsx'
import { signIn, signOut } from '#web/session/session.ts'

const ALWAYS = { opens_at: null, closes_at: null, reason: null }
const LIST: MarketList = {
  trade_settings: [],
  prices: [],
  trading_profit: 90,
  currencies: [
    aSymbol({ is_featured: true }),
    aSymbol({ id: 2, symbol: 'AAPL', product_id: 'AAPL', name: 'Apple', market_type: 'us_stocks' }),
  ],
  market_status: { crypto: true, us_stocks: false, us_fx: false },
  market_hours: { crypto: ALWAYS, us_stocks: { ...ALWAYS, reason: 'Independence Day' }, us_fx: ALWAYS },
  trade_status: 1,
  trade_reason: '',
  image_path: '',
}
const ROUTE = 'GET /user/crypto-currency/list'

beforeEach(() => queryClient.clear())

test('ET9: a list that fails to load shows an error, stops loading, and offers a retry', async () => {
  let isDown = true
  fakeApi({
    [ROUTE]: () => (isDown ? { status: 422, body: { message: 'No', code: 'bad_request' } } : { body: { data: LIST } }),
  })
  const { container } = render(<MarketScreen />)
  expect(container.querySelector('[aria-busy=true]'), 'loading first').not.toBeNull()
  expect(await screen.findByText('unable to load data, try again later')).toBeDefined()
  expect(container.querySelector('[aria-busy=true]')).toBeNull()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findAllByText('Bitcoin')).not.toHaveLength(0)
})

test('ET2: a closed market shows the notice above its symbols', async () => {
  fakeApi({ [ROUTE]: { body: { data: LIST } } })
  render(<MarketScreen />)
  await userEvent.click(await screen.findByRole('radio', { name: 'US stocks' }))
  const alert = screen.getByText(/Independence Day/).parentElement
  expect(alert?.textContent).toContain('market is closed')
  expect(screen.getAllByText('Apple')).not.toEqual([])
  await userEvent.click(screen.getByRole('radio', { name: 'Crypto' }))
  expect(screen.queryAllByText('market is closed')).toEqual([])
})

test('F38: a closed market shows the notice once', async () => {
  fakeApi({ [ROUTE]: { body: { data: LIST } } })
  render(<MarketScreen />)
  await userEvent.click(await screen.findByRole('radio', { name: 'US stocks' }))
  expect(screen.getAllByText(/market is closed/)).toHaveLength(1)
})

test('F37: the search covers all markets, by code, name and pair', async () => {
  const euro = aSymbol({
    id: 3,
    symbol: 'EURUSD',
    product_id: 'EURUSD',
    name: 'Euro / US Dollar',
    market_type: 'us_fx',
  })
  fakeApi({ [ROUTE]: { body: { data: { ...LIST, currencies: [...LIST.currencies, euro] } } } })
  render(<MarketScreen />)
  const search = await screen.findByRole('searchbox', { name: 'Search markets' })
  for (const [typed, found] of [
    ['apple', 'AAPL'],
    ['eur/usd', 'EUR/USD'],
    ['BTCUSDT', 'BTC/USDT'],
  ] as const) {
    await userEvent.clear(search)
    await userEvent.type(search, typed)
    const rows = screen.getAllByRole('listitem')
    expect(rows.map((row) => row.querySelector('a [dir=ltr]')?.textContent)).toEqual([found])
  }
  await userEvent.clear(search)
  await userEvent.type(search, 'nothing of the kind')
  expect(screen.getByText('No market matches this search.')).toBeDefined()
})

test('F24: users see their balance on the market and a link to deposit; visitors see neither', async () => {
  fakeApi({ [ROUTE]: { body: { data: LIST } } })
  act(() => signIn({ token: 't', user: aUser({ balance: 1_234.5 }) }))
  const { unmount } = render(<MarketScreen />)
  expect(await screen.findByText('$1,234.50')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposit')
  unmount()
  act(signOut)
  render(<MarketScreen />)
  await screen.findByRole('searchbox')
  expect(screen.queryByText(/^Balance/)).toBeNull()
})

test('A24: while the connection is lost, prices are dimmed and their time is shown', async () => {
  fakeApi({ [ROUTE]: { body: { data: LIST } } })
  render(<MarketScreen />)
  const [price] = await screen.findAllByText('Bitcoin')
  act(() => setConnection('connected', 0))
  expect(price?.closest('[data-offline]')).toBeNull()
  act(() => setConnection('offline', Date.UTC(2026, 2, 18, 14, 27, 8)))
  const strip = screen.getByText(/^Reconnecting\. Prices as of \d\d:\d\d:08 .+\. Orders keep running on the server\.$/)
  const page = strip.closest('[data-offline]')
  expect(page?.contains(price ?? null)).toBe(true)
  const dimmed = [...(page?.querySelectorAll('[class*="in-data-offline:opacity"]') ?? [])]
  expect(dimmed.map(({ textContent }) => textContent).join(' ')).toContain('67,284.1000')
  act(() => setConnection('connected', 0))
  expect([document.querySelector('[data-offline]'), screen.queryByText(/^Reconnecting/)]).toEqual([null, null])
})

test('FA6: a star that the server refuses is cleared silently', async () => {
  signIn({ token: 'T1', user: aUser() })
  fakeApi({
    [ROUTE]: { body: { data: LIST } },
    'POST /user/crypto-currency/favorite': { status: 500, body: { message: 'Server Error', code: 'server_error' } },
  })
  render(<MarketScreen />)
  const star = await screen.findByRole('button', { name: 'Add Bitcoin to favorites' })
  await userEvent.click(star)
  await waitFor(() => expect(star.getAttribute('aria-pressed')).toBe('false'))
  expect(screen.getByRole('button', { name: 'Add Bitcoin to favorites' })).toBe(star)
  expect(screen.queryByRole('alert')).toBeNull()
  signOut()
})
