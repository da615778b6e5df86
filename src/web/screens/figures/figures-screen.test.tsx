import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { FiguresOut } from '#contract/figures.ts'
import { civilDay } from '#core/markets/calendar/civil-day.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { figuresQuery } from '#web/screens/figures/figures-period.ts'
import { FiguresScreen } from '#web/screens/figures/figures-screen.tsx'

beforeEach(() => queryClient.clear())

const COUNTED = { orders: 40, staked: 400, net: -20.5, hit_rate: 52.5, break_even: 55.56 }
const AT = '2026-11-21T14:37:02.000Z'
const FIGURES: FiguresOut = {
  from: AT,
  to: AT,
  zone: 'UTC',
  ...COUNTED,
  wins: 21,
  losses: 19,
  draws: 1,
  voids: 2,
  hit_low: 37.5,
  hit_high: 67.06,
  hit_by_stake: 48,
  average_stake: 10,
  median_stake: 9,
  best: 8,
  worst: -10,
  longest_session_ms: 3_720_000,
  deposits: 500,
  withdrawals: 120,
  by_day: [
    { day: '2026-11-20', ...COUNTED, orders: 10, net: 5 },
    { day: '2026-11-21', ...COUNTED, orders: 30, net: -25.5, hit_rate: null, break_even: null },
  ],
  by_market: [{ symbol: 'BTC', ...COUNTED }],
  by_expiry: [{ seconds: 60, ...COUNTED }],
  by_weekday: [{ weekday: 5, ...COUNTED }],
  line: [
    [Date.parse(AT), 8],
    [Date.parse(AT) + 60_000, -20.5],
  ],
  as_of: AT,
  until_number: 43,
}
const show = (change: Partial<FiguresOut> = {}) => {
  const api = fakeApi({ 'GET /user/figures': { body: { data: { figures: { ...FIGURES, ...change } } } } })
  render(<FiguresScreen />)
  return api
}

test('lists of figures contain only names and values, as screen readers expect', async () => {
  show()
  await screen.findByText('Deposits')
  const parts = document.querySelectorAll('dl > *, dl > div > *')
  expect([...parts].filter((part) => !part.matches('dl > div, dt, dd'))).toEqual([])
})

test('US2.2: the screen shows the hit rate only beside the break-even rate, with its range and what it means', async () => {
  show()
  const scale = await screen.findByRole('img', {
    name: 'Hit rate 52.5%, break-even 55.6%, 95% range from 37.5% to 67.1%',
  })
  expect(scale).toBeTruthy()
  expect(screen.getByText('This could be chance: the range reaches from 37.5 to 67.1 %.')).toBeTruthy()
  expect(screen.getByText('Past results say nothing about the next order.')).toBeTruthy()
  expect(screen.queryByText(/larger stakes/)).toBeNull()
  for (const table of screen.getAllByRole('table')) {
    expect(within(table).getByRole('columnheader', { name: 'Break-even' })).toBeTruthy()
  }
})

test('US2.2: the screen shows no rate without decided orders', async () => {
  show({ hit_rate: null, break_even: null, hit_low: null, hit_high: null, hit_by_stake: null, wins: 0, losses: 0 })
  expect(await screen.findByText('Too few orders to say anything about your rate.')).toBeTruthy()
  expect(screen.queryByRole('img', { name: /Hit rate/ })).toBeNull()
})

test('the screen describes the line of the net result in text, and shows it as a table', async () => {
  show()
  const line = await screen.findByRole('img', {
    name: /lowest \W?−\$20\.50, highest \W?\+\$8\.00, at the end \W?−\$20\.50/,
  })
  expect(line).toBeTruthy()
  const button = screen.getByRole('button', { name: 'Show as table' })
  await userEvent.setup().click(button)
  const table = screen.getByRole('table', { name: 'Net result over time' })
  expect(within(table).getAllByRole('row')).toHaveLength(3)
})

test('the screen sorts a table by a column in both directions, and then restores the first order', async () => {
  show()
  const region = await screen.findByRole('region', { name: 'By day' })
  const days = () =>
    within(region)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
  const user = userEvent.setup()
  expect(days()).toEqual(['2026-11-20', '2026-11-21'])
  await user.click(within(region).getByRole('button', { name: 'Orders' }))
  expect(days()).toEqual(['2026-11-21', '2026-11-20'])
  await user.click(within(region).getByRole('button', { name: 'Orders' }))
  expect(days()).toEqual(['2026-11-20', '2026-11-21'])
  await user.click(within(region).getByRole('button', { name: 'Net result' }))
  expect(days()).toEqual(['2026-11-20', '2026-11-21'])
  await user.click(within(region).getByRole('button', { name: 'Day' }))
  expect(days()).toEqual(['2026-11-20', '2026-11-21'])
})

test('the screen says that no orders ended in the period, and loads another chosen period', async () => {
  const { seen } = show({ orders: 0 })
  expect(await screen.findByText('No orders ended in this period.')).toBeTruthy()
  await userEvent.setup().selectOptions(screen.getByLabelText('Period'), 'All')
  await waitFor(() => expect(Object.keys(seen.at(-1)?.query ?? {})).toEqual(['zone', 'account']))
})

test.each([
  ['days_30', { from: '2026-10-23', zone: 'UTC' }],
  ['days_90', { from: '2026-08-24', zone: 'UTC' }],
  ['year', { from: '2026-01-01', zone: 'UTC' }],
  ['all', { zone: 'UTC' }],
  ['range', { from: '2026-11-01', to: '2026-11-06', zone: 'UTC' }],
] as const)('asks for the period %s', (period, query) => {
  expect(figuresQuery({ period, from: '2026-11-01', to: '2026-11-05' }, civilDay(2026, 11, 21), 'UTC')).toEqual(query)
})
