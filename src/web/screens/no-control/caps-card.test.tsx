import { render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { NoControlScreen } from '#web/screens/no-control/no-control-screen.tsx'

const GOODWILL = { body: { data: { payments: 0, payments_90_days: 0 } } }
const NOW = Date.UTC(2026, 10, 21, 10)
beforeEach(() => {
  queryClient.clear()
  vi.spyOn(Date, 'now').mockReturnValue(NOW)
})
afterEach(() => vi.restoreAllMocks())

test('OD7.3: the card lists the caps with their time, and the orders that they refused', async () => {
  const since = '2026-11-20T08:00:00.000Z'
  const refusedOn = (day: string, orders: number) => ({ day, symbol: 'BTC', direction: 'buy', orders })
  fakeApi({
    'GET /proof/goodwill': GOODWILL,
    'GET /proof/caps': {
      body: {
        data: {
          caps: [
            { scope: 'expiry', key: 'BTC', most: 500, since },
            { scope: 'market', key: 'us_stocks', most: 9_000, since },
            { scope: 'site', key: 'all', most: 20_000, since },
          ],
          refused: [refusedOn('2026-11-21', 2), refusedOn('2026-11-19', 3)],
        },
      },
    },
  })
  render(<NoControlScreen />)
  const card = (await screen.findByRole('heading', { name: 'Caps on open orders' })).parentElement!
  const lines = within(card)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(lines).toEqual([
    expect.stringMatching(/^Cap on the profits of one side of BTC in one minute of expiry: \$500.00, since /),
    expect.stringMatching(/^Cap on the profits of one side of US stocks: \$9,000.00, since /i),
    expect.stringMatching(/^Cap on the profits of one side of all symbols: \$20,000.00, since /),
  ])
  expect(screen.getByText('Orders refused because a cap was full: 2 today, 5 in 30 days.')).toBeTruthy()
})

test('OD7.3: the card says when no cap is in force', async () => {
  fakeApi({ 'GET /proof/goodwill': GOODWILL, 'GET /proof/caps': { body: { data: { caps: [], refused: [] } } } })
  render(<NoControlScreen />)
  expect(await screen.findByText('No cap is in force.')).toBeTruthy()
  expect(screen.getByText('Orders refused because a cap was full: 0 today, 0 in 30 days.')).toBeTruthy()
})
