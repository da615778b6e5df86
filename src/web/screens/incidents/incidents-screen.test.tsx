import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { IncidentOut } from '#contract/incidents.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { IncidentsScreen } from '#web/screens/incidents/incidents-screen.tsx'

beforeEach(() => queryClient.clear())

const AT = Date.UTC(2026, 10, 21, 10)
const VOID: IncidentOut = {
  id: `void:1:${AT}`,
  kind: 'void',
  cause: 'no_price_after_expiry',
  symbol: 'BTC',
  source: null,
  from_ms: AT,
  to_ms: AT + 60_500,
  orders_refunded: 1_234,
}
const FEED: IncidentOut = {
  ...VOID,
  id: 'feed:1',
  kind: 'feed',
  cause: 'silent',
  symbol: null,
  source: 'somewhere',
  to_ms: null,
  orders_refunded: null,
}
const page = (incidents: readonly IncidentOut[], next: string | null = null): FakeAnswer => ({
  body: { data: { incidents, next } },
})
const DAY = { first_seq: 1, last_seq: 1_234_567, previous_hash: '0'.repeat(64), hash: 'ab'.repeat(32) }

function show(answers: Parameters<typeof fakeApi>[0]): ReturnType<typeof fakeApi> {
  const currencies = [{ symbol: 'BTC' }]
  const api = fakeApi({ 'GET /user/crypto-currency/list': { body: { data: { currencies } } }, ...answers })
  render(<IncidentsScreen />)
  return api
}

test('IN5: the screen shows the kind, time and duration of each incident, and how many orders were refunded', async () => {
  show({ 'GET /proof/incidents': page([VOID, FEED]) })
  const list = await screen.findByRole('list', { name: 'Incidents' })
  const [first, second] = within(list).getAllByRole('listitem')
  const inFirst = within(first as HTMLElement)
  expect(inFirst.getByText('No price in time after an expiry')).toBeTruthy()
  expect(inFirst.getByText('1,234')).toBeTruthy()
  expect(inFirst.getByText(/21 Nov 10:00:00 UTC · 1 min/)).toBeTruthy()
  expect(within(second as HTMLElement).getByText(/ongoing/)).toBeTruthy()
  expect(within(second as HTMLElement).queryByText('Orders refunded')).toBeNull()
})

test('IN5: the screen pages to older incidents and back, and restarts when a symbol is chosen', async () => {
  const older = { ...VOID, id: 'void:1:1', cause: 'no_tick_before_expiry' } as const
  const { seen } = show({
    'GET /proof/incidents': ({ query }) =>
      Object.keys(query).length === 0 ? page([VOID], '9:void:1:9') : page([older]),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Next page' }))
  expect(await screen.findByText('No price shortly before an expiry')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Next page' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('button', { name: 'Page 1' }))
  expect(await screen.findByText('No price in time after an expiry')).toBeTruthy()
  await userEvent.selectOptions(screen.getByLabelText('Symbol'), 'BTC')
  await screen.findByText('No price shortly before an expiry')
  const requests = seen.filter(({ route }) => route === 'GET /proof/incidents')
  expect(requests.map(({ query }) => query)).toEqual([{}, { before: '9:void:1:9' }, { symbol: 'BTC' }])
})

test('IN5: the screen lists the days of the price log with their hash, and a file for each day that is still stored', async () => {
  const days = [
    { ...DAY, day: '2026-11-20', is_kept: true },
    { ...DAY, day: '2026-08-01', is_kept: false },
  ]
  show({ 'GET /proof/incidents': page([]), 'GET /proof/heads': { body: { data: { days } } } })
  expect(await screen.findByText('No incidents recorded.')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: 'Price log' }))
  const link = await screen.findByRole('link', { name: 'Download 2026-11-20' })
  expect(link.getAttribute('href')).toBe('/api/ticks/2026-11-20.csv')
  expect(screen.getAllByText('ab'.repeat(32))).toHaveLength(2)
  expect(screen.getAllByText('Positions 1 to 1,234,567')).toHaveLength(2)
  expect(screen.getByText('no longer stored here')).toBeTruthy()
})

test('IN5: the screen offers a retry when loading fails', async () => {
  show({ 'GET /proof/incidents': { status: 403, body: { message: 'No', code: 'forbidden' } } })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
