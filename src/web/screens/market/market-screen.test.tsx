import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { MarketList } from '#contract/markets.ts'
import { fakeApi } from '#testing/fake-api.ts'
import { aSymbol, aUser } from '#testing/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { MarketScreen } from '#web/screens/market/market-screen.tsx'
import { signIn, signOut } from '#web/shell/session.ts'

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

test('a list that cannot be loaded says so, stops loading, and can be asked for again', async () => {
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

test('a closed market says so above its symbols', async () => {
  fakeApi({ [ROUTE]: { body: { data: LIST } } })
  render(<MarketScreen />)
  await userEvent.click(await screen.findByRole('radio', { name: 'US stocks' }))
  const alert = screen.getByText(/Independence Day/).parentElement
  expect(alert?.textContent).toContain('market is closed')
  expect(screen.getAllByText('Apple')).not.toEqual([])
  await userEvent.click(screen.getByRole('radio', { name: 'Crypto' }))
  expect(screen.queryAllByText('market is closed')).toEqual([])
})

test('a star that the server does not take goes out again without a word', async () => {
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
