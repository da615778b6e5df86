import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { drawForStaff } from '#test/support/draw-for-staff.tsx'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { CountriesPage } from '#back-office/pages/countries/countries-page.tsx'
import type { CountriesState } from '#back-office/pages/countries/countries-state.ts'

beforeEach(() => queryClient.clear())

const STATE: CountriesState = {
  rules: [{ country: 'US', sign_up: 'refuse', deposit: 'refuse', trade: 'refuse', note: 'no licence' }],
  unknown_address: 'allow',
  version: 4,
  countries: [
    { code: 'PT', name: 'Portugal', users: 12 },
    { code: 'US', name: 'United States', users: 3 },
  ],
  source: { header: null, table: 'package', built_at: '2026-01-01T00:00:00.000Z', age_days: 121, is_old: true },
}

function draw(state: CountriesState = STATE) {
  const api = fakeApi({
    'GET /admin/countries': { body: { data: state } },
    'POST /admin/countries/save': { body: { data: { pending: { id: 'c1', applies_at: null } } } },
    'POST /admin/countries/try': {
      body: {
        data: {
          country: { code: 'US', name: 'United States' },
          is_private: false,
          sign_up: 'refuse',
          deposit: 'refuse',
          trade: 'allow',
        },
      },
    },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <CountriesPage />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), sent: () => api.seen.filter(({ route }) => route.startsWith('POST')) }
}

test('OD11.3: a request for a change sends the rules of all countries with a reason', async () => {
  const { user, sent } = draw()
  const row = (await screen.findByRole('heading', { name: /^United States/ })).closest('li') ?? document.body
  expect(within(row).getByText('Users: 3')).toBeTruthy()
  const trade = within(row).getByRole('radiogroup', { name: 'Trade: United States' })
  await user.click(within(trade).getByRole('radio', { name: 'Allow' }))
  await user.selectOptions(screen.getByLabelText('Add a country'), 'Portugal')
  const unknown = screen.getByRole('radiogroup', { name: 'Addresses whose country is unknown' })
  await user.click(within(unknown).getByRole('radio', { name: 'Refuse' }))
  await user.type(screen.getByLabelText('Reason (published for everyone)'), 'the new licence')
  await user.click(screen.getByRole('button', { name: 'Request the change' }))
  expect(await screen.findByText(/^The change is listed under Waiting changes/)).toBeTruthy()
  expect(sent()[0]?.body).toEqual({
    rules: [
      { country: 'US', sign_up: 'refuse', deposit: 'refuse', trade: 'allow', note: 'no licence' },
      { country: 'PT', sign_up: 'refuse', deposit: 'refuse', trade: 'refuse', note: '' },
    ],
    unknown_address: 'refuse',
    reason: 'the new licence',
    version: 4,
  })
})

test('OD11.3: a request that is refused because the rules changed keeps the edit, shows why, and loads again on demand', async () => {
  let version = 4
  fakeApi({
    'GET /admin/countries': () => ({ body: { data: { ...STATE, version } } }),
    'POST /admin/countries/save': () => {
      version = 5
      return { status: 409, body: { message: 'The rules have changed.', code: 'changed_meanwhile', errors: {} } }
    },
  })
  drawForStaff(<CountriesPage />)
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText('Reason (published for everyone)'), 'the new licence')
  await user.click(screen.getByRole('button', { name: 'Request the change' }))
  expect(await screen.findByText('The rules have changed.')).toBeTruthy()
  expect(screen.getByDisplayValue('the new licence')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Reload' }))
  await waitFor(() => expect(screen.queryByText('The rules have changed.')).toBeNull())
})

test('OD11.3: the page shows the age of the address table, and says when there is no table', async () => {
  draw()
  expect(await screen.findByText('121 days')).toBeTruthy()
  expect(screen.getByText(/^The table is older than 120 days/)).toBeTruthy()
  queryClient.clear()
  draw({ ...STATE, source: { header: null, table: 'none', built_at: null, age_days: null, is_old: false } })
  expect(await screen.findByText(/every address is unknown/)).toBeTruthy()
})

test('OD11.3: staff try an IP address and see its country and what the rules allow', async () => {
  const { user, sent } = draw()
  await user.type(await screen.findByLabelText('IP address'), '203.0.113.7')
  await user.click(screen.getByRole('button', { name: 'Try it' }))
  expect(await screen.findByText('203.0.113.7 is in United States.')).toBeTruthy()
  expect(screen.getByText('Trade: Allow')).toBeTruthy()
  expect(sent()[0]?.body).toEqual({ address: '203.0.113.7' })
})
