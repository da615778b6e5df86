import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { SymbolDetailRow } from '#contract/back-office/symbols.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { SymbolForm } from '#back-office/pages/symbols/symbol-form.tsx'

beforeEach(() => queryClient.clear())

function draw(rest: Partial<SymbolDetailRow>): void {
  const symbol: SymbolDetailRow = {
    code: 'XRP',
    name: 'Ripple',
    market_type: 'crypto',
    is_listed: true,
    is_featured: false,
    is_open: true,
    closed_by: null,
    closed_reason: null,
    decimals: 4,
    tick_size: '0.0001',
    max_tick_age_ms: 5_000,
    source: 'synthetic',
    provider_symbol: 'XRP',
    sort: 10,
    color: '',
    image: '',
    price: 2.1,
    price_at: '2026-03-18T15:00:00.000Z',
    version: 1,
    open_orders: 0,
    open_stakes: 0,
    ...rest,
  }
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <SymbolForm symbol={symbol} />
      </ToastProvider>
    </QueryClientProvider>,
  )
}

test("F67: an invalid number is sent as typed, and its field shows the server's error", async () => {
  const message = 'Position must be a number, such as 12.5.'
  const { seen } = fakeApi({
    'POST /admin/markets/symbols/XRP/edit': {
      status: 422,
      body: { message, code: 'bad_request', errors: { sort: [message] } },
    },
  })
  draw({})
  await userEvent.clear(screen.getByLabelText('Position'))
  await userEvent.type(screen.getByLabelText('Position'), 'abc')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(message)).toBeTruthy()
  expect(seen[0]?.body).toMatchObject({ sort: 'abc' })
})
