import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { ClosingOut } from '#contract/closing.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { CloseScreen } from '#web/screens/close/close-screen.tsx'

beforeEach(() => queryClient.clear())

const NONE = { open_orders: 0, withdrawals: 0, deposits: 0, decisions: 0, cash: 0 }
const OPEN: ClosingOut = { closing: null, obstacles: NONE, excluded_until: null, kept_years: 0 }
const CLOSING: ClosingOut = {
  ...OPEN,
  closing: { requested_at: '2999-01-01T10:00:00.000Z', erases_at: '2999-01-15T10:00:00.000Z' },
}

test('the user closes the account with one button, and keeps the account with another button', async () => {
  let own = OPEN
  const { seen } = fakeApi({
    'GET /user/close': () => ({ body: { data: own } }),
    'POST /user/close': () => ({ body: { data: (own = CLOSING) } }),
    'POST /user/close/cancel': () => ({ body: { data: (own = OPEN) } }),
  })
  render(<CloseScreen />)
  await userEvent.type(await screen.findByLabelText('Reason (optional)'), 'Enough.')
  await userEvent.click(screen.getByRole('button', { name: 'Close account' }))
  expect(await screen.findByText(/^Closing since /)).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Account closing' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Keep account' }))
  expect(await screen.findByRole('button', { name: 'Close account' })).toBeTruthy()
  expect(seen.filter(({ route }) => route.startsWith('POST /user/close'))).toMatchObject([
    { route: 'POST /user/close', body: { reason: 'Enough.' } },
    { route: 'POST /user/close/cancel' },
  ])
})

test('the screen lists everything that must end first, each with its screen, and the data that the site must keep by law', async () => {
  const obstacles = { ...NONE, open_orders: 2, withdrawals: 1, cash: 3.5 }
  fakeApi({ 'GET /user/close': { body: { data: { ...OPEN, obstacles, kept_years: 5 } } } })
  render(<CloseScreen />)
  expect(await screen.findByText(/Years: 5$/)).toBeTruthy()
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  expect(links).toEqual(
    expect.arrayContaining([
      ['Open orders: 2. They end by themselves.', '/trade'],
      ['Pending withdrawals: 1', '/history/withdrawal'],
      ['Money left: $3.50', '/withdraw'],
    ]),
  )
})

test.each([
  ['after 14 days', { closing: { requested_at: '2000-01-01T10:00:00.000Z', erases_at: '2000-01-15T10:00:00.000Z' } }],
  ['during an exclusion', { excluded_until: '2999-06-01T10:00:00.000Z' }],
])('the screen offers no button to keep the account %s', async (_when, change) => {
  fakeApi({ 'GET /user/close': { body: { data: { ...CLOSING, ...change } } } })
  render(<CloseScreen />)
  expect(await screen.findByText(/^Closing since /)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Keep account' })).toBeNull()
  expect(screen.getByText('Nothing is left to end.')).toBeTruthy()
})
