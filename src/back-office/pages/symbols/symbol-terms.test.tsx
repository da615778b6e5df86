import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { SymbolDetailRow } from '#contract/back-office/symbols.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { SymbolTerms } from '#back-office/pages/symbols/symbol-terms.tsx'

beforeEach(() => queryClient.clear())

const STATE = { newest_n: 17, notice_ms: 3_600_000, ceiling: 10_000, coming: [] }
const SYMBOL = { code: 'XRP', is_listed: true, open_orders: 0, open_stakes: 0 } as SymbolDetailRow

function draw(rest: Partial<SymbolDetailRow> = {}) {
  const api = fakeApi({
    'GET /admin/markets/terms/state': { body: { data: STATE } },
    'POST /admin/markets/terms/announce': { body: { data: { n: 18, applies_at: '2026-03-18T16:00:00.000Z' } } },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <SymbolTerms symbol={{ ...SYMBOL, ...rest }} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), sent: () => api.seen.filter(({ route }) => route.startsWith('POST')) }
}

test('F60: a listed symbol shows its open orders before it is removed from the list', () => {
  draw({ open_orders: 1, open_stakes: 10 })
  expect(screen.getByText('1 open order, $10.00')).toBeTruthy()
  expect(screen.getByText(/these orders run until their expiry/)).toBeTruthy()
})

test('F60: a symbol without open orders shows no warning', () => {
  draw()
  expect(screen.queryByText(/these orders run/)).toBeNull()
})

test('previews what users will read, and announces the value in milliseconds, based on the newest entry', async () => {
  const { user, sent } = draw()
  await screen.findByText(/at least 3,600 seconds after its announcement/)
  await user.type(screen.getByLabelText('New value'), '2.5')
  await user.type(screen.getByLabelText('Starts at (UTC)'), '2026-03-18T16:00')
  expect(await screen.findByText('Maximum price age of XRP: 2.5 s')).toBeTruthy()
  expect(screen.getByText(/^Applies from 18 Mar 2026, 16:00:00 UTC/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  expect(await screen.findByText('Announced. Applies from 18 Mar 2026, 16:00:00 UTC.')).toBeTruthy()
  expect(sent()[0]?.body).toEqual({
    what: 'max_tick_age',
    of: 'XRP',
    value: '2500',
    applies_at: '2026-03-18T16:00:00.000Z',
    seen_n: 17,
  })
})

test('a value that is not a number shows an error, and nothing is sent', async () => {
  const { user, sent } = draw()
  await user.type(screen.getByLabelText('New value'), 'soon')
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  expect(await screen.findByText('Enter a number, such as 12.5.')).toBeTruthy()
  expect(sent()).toEqual([])
})

test('staff remove a symbol from the list without typing a value', async () => {
  const { user, sent } = draw()
  await user.selectOptions(screen.getByLabelText('Change'), 'Remove the symbol from the list')
  expect(screen.queryByLabelText('New value')).toBeNull()
  expect(await screen.findByText('XRP takes no new orders')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  await screen.findByText(/^Announced\./)
  expect(sent()[0]?.body).toMatchObject({ what: 'symbol', value: 'closing', applies_at: null })
})

test('staff type a pause of selling back in minutes, and the form names the notice period of such pauses', async () => {
  const { user, sent } = draw({ market_type: 'us_fx' })
  await user.selectOptions(screen.getByLabelText('Change'), 'Selling back: pause for an event, minutes')
  expect(await screen.findByText(/starts at least 61 minutes after its announcement/)).toBeTruthy()
  await user.type(screen.getByLabelText('New value'), '30')
  await user.type(screen.getByLabelText('Starts at (UTC)'), '2026-03-18T16:00')
  expect(await screen.findByText('Orders on XRP cannot be sold back for 30 min')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Announce' }))
  await screen.findByText(/^Announced\./)
  expect(sent()[0]?.body).toMatchObject({ what: 'sale_pause', of: 'XRP', value: '1800000' })
})
