import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { AlertOut } from '#contract/alerts.ts'
import type { LanguageCode } from '#messages/languages.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { setCurrentLanguage } from '#web/i18n/language.ts'
import { AlertsScreen } from '#web/screens/alerts/alerts-screen.tsx'
import { tellFiredAlert } from '#web/session/fired-alerts.ts'
import { signIn } from '#web/session/session.ts'

const RUNNING: AlertOut = {
  id: '0195a000-0000-7000-8000-000000000001',
  symbol: 'BTC',
  decimals: 2,
  kind: 'above',
  level: 67_500,
  percent: null,
  basis: { price: 67_000, q: 7 },
  repeats: false,
  cool_minutes: 60,
  expires_at: '2999-01-01T00:00:00.000Z',
  note: 'look here',
  state: 'running',
  fired: null,
  created_at: '2026-11-21T10:00:00.000Z',
  version: 1,
}
const FIRED: AlertOut = {
  ...RUNNING,
  id: '0195a000-0000-7000-8000-000000000002',
  symbol: 'AAPL',
  state: 'fired',
  fired: { q: 12, price: 68_000, time_ms: Date.UTC(2026, 10, 21, 11), previous_q: 9 },
  version: 2,
}
const listed = (alerts: AlertOut[]) => ({ body: { data: { alerts, left: 20 - alerts.length } } })
const show = () =>
  render(
    <ToastProvider dismissLabel="Close">
      <AlertsScreen />
    </ToastProvider>,
  )

beforeEach(() => {
  setCurrentLanguage('en')
  queryClient.clear()
  signIn({ token: 'T1', user: aUser() })
})

test('the screen lists alerts by symbol: their conditions, their state, and the tick at which an alert fired', async () => {
  fakeApi({ 'GET /user/alerts': listed([RUNNING, FIRED]) })
  show()
  const running = within(await screen.findByRole('region', { name: 'BTC' }))
  expect(running.getByRole('link', { name: /Rises to .*67,500\.00/ }).getAttribute('href')).toBe('/trade/BTC')
  expect(running.getByText('Running')).toBeTruthy()
  expect(running.getByText('look here')).toBeTruthy()
  const fired = within(screen.getByRole('region', { name: 'AAPL' }))
  expect(fired.getByText(/68,000\.00.*tick 12/)).toBeTruthy()
  expect(screen.getByText(/places no order.*18 more/)).toBeTruthy()
})

test('the screen says when there are no alerts, and why the list is missing', async () => {
  let isDown = true
  fakeApi({
    'GET /user/alerts': () => (isDown ? { status: 422, body: { code: 'x', message: 'Too much' } } : listed([])),
  })
  show()
  expect(await screen.findByText(/Too much/)).toBeTruthy()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No alerts. Open a chart and drag a line.')).toBeTruthy()
})

test('the user ends an alert and sets a fired alert again; a refusal shows its reason and the current list', async () => {
  let alerts = [RUNNING, FIRED]
  const { seen } = fakeApi({
    'GET /user/alerts': () => listed(alerts),
    [`POST /user/alerts/${RUNNING.id}/end`]: () => {
      alerts = [{ ...RUNNING, state: 'fired', fired: FIRED.fired, version: 2 }, FIRED]
      return { status: 409, body: { code: 'alert_changed', message: 'It changed' } }
    },
    [`POST /user/alerts/${FIRED.id}/again`]: () => ({ body: { data: { alert: { ...FIRED, state: 'running' } } } }),
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'End' }))
  expect(await screen.findByText('It changed')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'End' })).toBeNull())
  await userEvent.click(within(screen.getByRole('region', { name: 'AAPL' })).getByRole('button', { name: 'Set again' }))
  expect(seen.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body)).toEqual([
    { version: 1 },
    { version: 2 },
  ])
})

test('the user changes an alert by typing: a new level and repetition, with the same end as before', async () => {
  const { seen } = fakeApi({
    'GET /user/alerts': listed([RUNNING]),
    [`POST /user/alerts/${RUNNING.id}`]: () => ({ body: { data: { alert: { ...RUNNING, version: 2 } } } }),
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
  const sheet = within(await screen.findByRole('dialog'))
  await userEvent.click(sheet.getByRole('radio', { name: 'falls to' }))
  await userEvent.clear(sheet.getByLabelText('Price'))
  await userEvent.type(sheet.getByLabelText('Price'), '66000')
  await userEvent.click(sheet.getByRole('switch', { name: 'Repeat' }))
  await userEvent.click(sheet.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(seen.find(({ route }) => route.startsWith('POST'))).toBeTruthy())
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toEqual({
    version: 1,
    kind: 'below',
    level: '66000',
    repeats: true,
    cool_minutes: 60,
    expires_at: RUNNING.expires_at,
    note: 'look here',
  })
})

test.each<[language: LanguageCode, kind: string, typed: string, sent: object | string]>([
  ['de', 'moves by', '0,5', { percent: 0.5 }],
  ['de', 'rises to', '67284,5', { level: '67284.5' }],
  ['de', 'rises to', '67.284', { level: '67284' }],
  ['de', 'rises to', '67,284.10', { level: '67284.10' }],
  ['en', 'rises to', '67,284.10', { level: '67284.10' }],
  ['ar', 'rises to', '٦٧٢٨٤٫٥', { level: '67284.5' }],
  ['en', 'moves by', '0,5', 'Enter a price with at most 2 decimals, or a change from 0.1% to 50%'],
])('F3: a user of %s types an alert that %s %s', async (language, kind, typed, sent) => {
  setCurrentLanguage(language)
  const { seen } = fakeApi({
    'GET /user/alerts': listed([RUNNING]),
    [`POST /user/alerts/${RUNNING.id}`]: () => ({ body: { data: { alert: RUNNING } } }),
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
  const sheet = within(await screen.findByRole('dialog'))
  await userEvent.click(sheet.getByRole('radio', { name: kind }))
  const field = sheet.getByLabelText(kind === 'moves by' ? 'Percent' : 'Price')
  await userEvent.clear(field)
  await userEvent.type(field, typed)
  await userEvent.click(sheet.getByRole('button', { name: 'Save' }))
  const last = () => seen.find(({ route }) => route.startsWith('POST'))?.body
  if (typeof sent === 'string') {
    expect(await sheet.findByText(sent)).toBeTruthy()
    expect(last()).toBeUndefined()
  } else await waitFor(() => expect(last()).toMatchObject(sent))
})

test('F3: an alert is saved with its own level in a language that groups digits by points', async () => {
  setCurrentLanguage('de')
  const yen = { ...RUNNING, symbol: 'USDJPY', decimals: 3, level: 149.123 }
  const { seen } = fakeApi({
    'GET /user/alerts': listed([yen]),
    [`POST /user/alerts/${RUNNING.id}`]: () => ({ body: { data: { alert: yen } } }),
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toMatchObject({ level: '149.123' }),
  )
})

test('the list is loaded again when an alert fires', async () => {
  let alerts = [RUNNING]
  fakeApi({ 'GET /user/alerts': () => listed(alerts) })
  show()
  expect(await screen.findByText('Running')).toBeTruthy()
  alerts = [{ ...RUNNING, state: 'fired', fired: FIRED.fired }]
  act(() => tellFiredAlert({ id: RUNNING.id, symbol: 'BTC', price: 68_000, q: 12, time_ms: 0 }))
  expect(await screen.findByText('Fired')).toBeTruthy()
})

test('an empty list leads to a chart, on which users set alerts', async () => {
  fakeApi({ 'GET /user/alerts': listed([]) })
  show()
  expect((await screen.findByRole('link', { name: 'Open a chart' })).getAttribute('href')).toBe('/trade')
})
