import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeApi } from '#testing/fake-api.ts'
import { aSymbol } from '#testing/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { RecentTrades } from '#web/screens/trade/recent-trades.tsx'
import type { OwnTrades } from '#web/screens/trade/use-own-trades.ts'

const NONE: OwnTrades = { trades: [], isFailed: false, running: [] }

function draw(isOpen: boolean, own = NONE) {
  fakeApi({ 'POST /user/latest_trades': { body: { data: { trades: [] } } } })
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

test('a closed market has the own trades only', () => {
  draw(false)
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Own'])
  expect(screen.getByText('transactions not found')).toBeDefined()
})

test('own trades that are not there yet are loading', () => {
  draw(false, { ...NONE, trades: null })
  expect(screen.getByText('loading transactions')).toBeDefined()
})
