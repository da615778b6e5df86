import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { LimitsOut } from '#contract/limits.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { LimitsScreen } from '#web/screens/limits/limits-screen.tsx'
import { signIn } from '#web/session/session.ts'

const NONE = { day: null, week: null, month: null }
const LIMITS: LimitsOut = {
  stake_max: null,
  loss: NONE,
  staked: NONE,
  deposit: NONE,
  reality: { minutes: null, from: null, due_at: null },
  withdrawal_lock: false,
  withdrawal_lock_fixed: false,
  prompt: false,
  waiting: [],
  break: null,
  history: [],
  as_of: '2026-03-18T15:00:00.000Z',
}
const WINDOW = { value: 50, used: 30, open: 30, left: 0, frees_at: '2026-03-19T09:00:00.000Z', since: LIMITS.as_of }
const CHANGE = {
  id: 'change-1',
  key: 'loss_day' as const,
  from: 50,
  to: null,
  asked_at: '2026-03-18T15:00:00.000Z',
  ready_at: '2026-03-19T15:00:00.000Z',
  lapses_at: '2026-03-26T15:00:00.000Z',
}

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'token', user: aUser() })
})

test('the screen shows each limit with the amount used, and when a used-up limit frees up', async () => {
  fakeApi({ 'GET /user/limits': { body: { data: { ...LIMITS, loss: { ...NONE, day: WINDOW }, stake_max: 20 } } } })
  render(<LimitsScreen />)
  const loss = within(await screen.findByRole('region', { name: 'Loss limit' }))
  expect(loss.getByRole('button', { name: /24 hours/ }).textContent).toContain('Used up: $60.00 of $50.00$0.00 left')
  expect(loss.getByText(/Frees up from .*19 Mar/)).toBeTruthy()
  expect(loss.getByRole('button', { name: /7 days/ }).textContent).toContain('None')
  expect(screen.getByRole('button', { name: /Largest stake/ }).textContent).toContain('$20.00')
})

test('F72: the screen sends the typed amount, and says when it takes effect and whether it still allows an order', async () => {
  const user = userEvent.setup()
  const limits = { ...LIMITS, loss: { ...NONE, day: { ...WINDOW, value: 40 } } }
  const api = fakeApi({
    'GET /user/limits': { body: { data: LIMITS } },
    'GET /user/crypto-currency/list': { body: { data: { trade_settings: [{ min_amount: 20 }, { min_amount: 10 }] } } },
    'POST /user/limits': {
      body: { data: { outcomes: [{ key: 'loss_day', in_force: 40, ready_at: null }], limits } },
    },
  })
  render(<LimitsScreen />)
  const loss = within(await screen.findByRole('region', { name: 'Loss limit' }))
  await user.click(loss.getByRole('button', { name: /24 hours/ }))
  const field: HTMLInputElement = screen.getByRole('textbox', { name: 'Limit' })
  expect(field.value).toBe('')
  expect(screen.getByText(/^Lower: from now/)).toBeTruthy()
  await user.type(field, '9.99')
  expect(await screen.findByText('This limit allows no order: the smallest stake is $10.00.')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '40')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const sent = api.seen.find(({ route }) => route === 'POST /user/limits')
  expect(sent?.body).toEqual({ changes: [{ key: 'loss_day', value: '40.00' }] })
  expect(screen.queryByText(/^This limit allows no order/)).toBeNull()
})

test('a waiting change can be dropped at once, and confirmed only when it is ready', async () => {
  const waiting = { ...CHANGE, ready_at: new Date(Date.now() + 60_000).toISOString(), ready: false }
  fakeApi({ 'GET /user/limits': { body: { data: { ...LIMITS, waiting: [waiting] } } } })
  render(<LimitsScreen />)
  expect(await screen.findByText('Loss limit · 24 hours: from $50.00 to None')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Confirm' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Drop' })).toHaveProperty('disabled', false)
})

test('a break needs a duration and a ticked box, and its button names the day of its end', async () => {
  const user = userEvent.setup()
  fakeApi({ 'GET /user/limits': { body: { data: LIMITS } } })
  render(<LimitsScreen />)
  expect(await screen.findByText('Self-exclusion')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Stop until/ })).toBeNull()
  await user.type(screen.getByRole('textbox', { name: 'Months, 6 to 60' }), '5')
  expect(screen.queryByRole('button', { name: /^Stop until/ })).toBeNull()
  await user.clear(screen.getByRole('textbox', { name: 'Months, 6 to 60' }))
  await user.type(screen.getByRole('textbox', { name: 'Months, 6 to 60' }), '12')
  const stop = screen.getByRole('button', { name: /^Stop until/ })
  expect(stop.textContent).toContain(String(new Date().getUTCFullYear() + 1))
  expect(stop).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('checkbox'))
  expect(stop).toHaveProperty('disabled', false)
})

test('the user chooses the interval of the reality check, and the screen says when the change takes effect', async () => {
  const user = userEvent.setup()
  const api = fakeApi({
    'GET /user/limits': { body: { data: LIMITS } },
    'POST /user/limits': {
      body: { data: { outcomes: [{ key: 'reality_check', in_force: 30, ready_at: null }], limits: LIMITS } },
    },
  })
  render(<LimitsScreen />)
  await user.click(await screen.findByRole('button', { name: /Reality check/ }))
  expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(
    ['15 minutes', '30 minutes', '60 minutes', '120 minutes', 'None'].map((text) => expect.stringContaining(text)),
  )
  await user.click(screen.getByRole('radio', { name: '30 minutes' }))
  expect(screen.getByText(/^Lower: from now/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const sent = api.seen.find(({ route }) => route === 'POST /user/limits')
  expect(sent?.body).toEqual({ changes: [{ key: 'reality_check', value: 30 }] })
})

test('the screen offers the withdrawal lock, except where it applies to everyone', async () => {
  fakeApi({ 'GET /user/limits': { body: { data: { ...LIMITS, withdrawal_lock: true, withdrawal_lock_fixed: true } } } })
  const { unmount } = render(<LimitsScreen />)
  expect(await screen.findByText('On for everyone on this site.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Withdrawal lock/ })).toBeNull()
  unmount()
  queryClient.clear()
  fakeApi({ 'GET /user/limits': { body: { data: LIMITS } } })
  render(<LimitsScreen />)
  expect(await screen.findByRole('button', { name: /Withdrawal lock/ })).toBeTruthy()
})
