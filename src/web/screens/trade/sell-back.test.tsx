import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { setConnection } from '#web/live/live-store.ts'
import { SellBack } from '#web/screens/trade/sell-back.tsx'
import { signIn } from '#web/session/session.ts'

const ORDER: PlacedOrder = {
  id: 'a',
  clientOrderId: 'c',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: BUY,
  stake: 100,
  payout: 85,
  seconds: 300,
  openedAt: 1_000,
  expiresAt: 301_000,
  entryPrice: 94_000,
  entryAt: 900,
}
const OFFER = { gross: 64.04, fee: 4, paid: 60.04, win_percent: 34.6, fee_percent: 4, left_ms: 200_000 }
const REQUEST = { clientSaleId: 's', requested_ms: 1, least: 57.04, state: 'selling', reason: null }
const path = 'GET /user/trade/a/sale'
const reply = (data: object) => ({ body: { data: { offer: null, why_not: null, request: null, ...data } } })

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'token', user: aUser() })
  setConnection('connected', 0)
})

function show() {
  return render(
    <QueryClientProvider client={queryClient}>
      <SellBack order={ORDER} />
    </QueryClientProvider>,
  )
}

test('no button is shown where the operator offers no sales', async () => {
  const api = fakeApi({ [path]: reply({ why_not: 'sale_off' }) })
  const { container } = show()
  await waitFor(() => expect(api.seen.length).toBeGreaterThan(0))
  expect(container.textContent).toBe('')
})

test('the sheet compares selling with keeping, and sets the lowest price to the offer less 3 % of the stake', async () => {
  const api = fakeApi({
    [path]: reply({ offer: OFFER }),
    'POST /user/trade/a/sell': { body: { data: { request: REQUEST } } },
  })
  show()
  await userEvent.click(await screen.findByRole('button', { name: /Sell back · about \$60\.04/ }))
  const field = await screen.findByRole('textbox', { name: 'Sell for at least' })
  expect((field as HTMLInputElement).value).toBe('57.04')
  expect(screen.getByText('34.6%')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Keep the order' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Sell back' }))
  await waitFor(() => expect(api.seen.some(({ route }) => route === 'POST /user/trade/a/sell')).toBe(true))
  const sent = api.seen.find(({ route }) => route === 'POST /user/trade/a/sell')
  expect(sent?.body).toMatchObject({ least: '57.04' })
})

test('after a price jump the button is disabled with the reason, and a lapsed request is reported with the order still open', async () => {
  const request = { ...REQUEST, state: 'lapsed', reason: 'sale_below_least' }
  fakeApi({ [path]: reply({ why_not: 'sale_after_jump', request }) })
  show()
  const button = await screen.findByRole('button', { name: 'Sell back' })
  expect((button as HTMLButtonElement).disabled).toBe(true)
  expect(screen.getByText(/The price jumped a moment ago/)).toBeTruthy()
  expect(screen.getByText(/Not sold. The order continues. The order would have brought less/)).toBeTruthy()
})

test('while a sale waits for its price there is no button', async () => {
  fakeApi({ [path]: reply({ why_not: 'sale_running', request: REQUEST }) })
  show()
  expect(await screen.findByText('Selling at the next price…')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a sheet that is opened again proposes the minimum of the offer at that time, and a repeated request keeps its id', async () => {
  let paid = 20
  const api = fakeApi({
    [path]: () => reply({ offer: { ...OFFER, paid } }),
    'POST /user/trade/a/sell': { status: 503, body: { status: 'error', message: 'Try again', code: 'busy' } },
  })
  show()
  const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Sell for at least' })
  const least = async () => (await field()).value
  await userEvent.click(await screen.findByRole('button', { name: /Sell back · about \$20\.00/ }))
  expect(await least()).toBe('17.00')
  await userEvent.click(screen.getByRole('button', { name: 'Sell back' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Keep the order' }))
  paid = 80
  await queryClient.invalidateQueries()
  await userEvent.click(await screen.findByRole('button', { name: /Sell back · about \$80\.00/ }))
  expect(await least()).toBe('77.00')
  await userEvent.click(screen.getByRole('button', { name: 'Sell back' }))
  const requests = () => api.seen.filter(({ route }) => route === 'POST /user/trade/a/sell').map(({ body }) => body)
  await waitFor(() => expect(requests()).toHaveLength(2))
  const [first, second] = requests() as { clientSaleId: string; least: string }[]
  expect(second).toEqual({ account: 'live', clientSaleId: first?.clientSaleId, least: '77.00' })
})

test('SC4: a lapsed request is reported also while no sale is offered', async () => {
  const request = { ...REQUEST, state: 'lapsed', reason: 'sale_below_least' }
  fakeApi({ [path]: reply({ why_not: 'sale_off', request }) })
  show()
  expect(await screen.findByText(/Not sold. The order continues. The order would have brought less/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('SC4: without a connection the last offer is not shown as the present one', async () => {
  fakeApi({ [path]: reply({ offer: OFFER }) })
  show()
  await screen.findByRole('button', { name: /Sell back · about \$60\.04/ })
  act(() => setConnection('offline', 0))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sell back' }).disabled).toBe(true)
  expect(screen.getByText('No connection')).toBeTruthy()
  act(() => setConnection('connected', 0))
  expect(await screen.findByRole('button', { name: /Sell back · about \$60\.04/ })).toBeTruthy()
})

test('SC4: an offer that could not be loaded again is not shown as the present one', async () => {
  let status = 200
  fakeApi({
    [path]: () => (status === 200 ? reply({ offer: OFFER }) : { status, body: { status: 'error', message: 'No' } }),
  })
  show()
  await screen.findByRole('button', { name: /Sell back · about \$60\.04/ })
  status = 503
  await act(() => queryClient.invalidateQueries())
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Sell back' })).disabled).toBe(true)
  // F9: the server replied, so there is a connection.
  expect(screen.getByText('unable to load data, try again later')).toBeTruthy()
  expect(screen.queryByText('No connection')).toBeNull()
})

test('F9: an offer that is old only because the page was hidden is requested again without a word of a lost connection', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let isHeld = false
  fakeApi({ [path]: () => (isHeld ? new Promise(() => undefined) : reply({ offer: OFFER })) })
  show()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByRole('button', { name: /Sell back · about \$60\.04/ })).toBeTruthy()
  isHeld = true
  await act(() => vi.advanceTimersByTimeAsync(15_000))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sell back' }).disabled).toBe(true)
  expect(screen.queryByText('No connection')).toBeNull()
})

test('SC4: an open sheet keeps the typed minimum while there is no offer for a moment', async () => {
  let answer: object = { offer: OFFER }
  fakeApi({ [path]: () => reply(answer) })
  show()
  await userEvent.click(await screen.findByRole('button', { name: /Sell back · about \$60\.04/ }))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Sell for at least' })
  await userEvent.clear(field)
  await userEvent.type(field, '60.00')
  answer = { why_not: 'sale_after_jump' }
  await act(() => queryClient.invalidateQueries())
  expect((await screen.findAllByText(/The price jumped a moment ago/)).length).toBeGreaterThan(0)
  const dialog = screen.getByRole('dialog')
  const submit = () => dialog.querySelector<HTMLButtonElement>('button[type=submit]')
  await waitFor(() => expect(submit()?.disabled).toBe(true))
  answer = { offer: { ...OFFER, paid: 52 } }
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expect(submit()?.disabled).toBe(false))
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Sell for at least' }).value).toBe('60.00')
})
