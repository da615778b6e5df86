import { network, sayToPage, sentMessages } from '#test/support/fake-app-socket.ts'
import { act, render, renderHook, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { cancelOrder, placeOrder } from '#web/live/live-client.ts'
import type { OrderForm, OrderView } from '#web/screens/trade/order-form.ts'
import { useOrderFlow } from '#web/screens/trade/use-order-flow.ts'
import { signIn } from '#web/session/session.ts'
import { RefusalToasts } from '#web/toasts/refusal-toasts.tsx'

const FORM = { direction: BUY } as OrderForm
const VIEW = {
  maySubmit: true,
  setting: { id: 1, time: 60, profit_percentage: 85 },
  stake: 2_000n,
} as unknown as OrderView
const ORDER = { type: 'buy', tradeSettingId: 1, amount: '20.00', symbol: 'btc', marketType: 'crypto' } as const

beforeEach(async () => {
  await loadTexts('trading')
  sentMessages.length = 0
  fakeApi({})
  signIn({ token: 'token', user: aUser() })
})

function show() {
  return render(
    <ToastProvider dismissLabel="Close">
      <RefusalToasts />
    </ToastProvider>,
  )
}

/** Waits until an order is sent, and returns its id. */
function sentId(): Promise<string> {
  return vi.waitFor(() => {
    const id = sentMessages.find(({ action }) => action === 'newTrade')?.data?.clientOrderId
    if (id === undefined) throw new Error('no order was sent')
    return id
  })
}

function refuse(clientOrderId: string): void {
  act(() =>
    sayToPage({ type: 'newTrade', status: 'error', message: 'Payout changed', code: 'payout_changed', clientOrderId }),
  )
}

it('FA5: a refusal that arrives after the user left the form becomes a toast with the symbol', async () => {
  const { container } = show()
  const { result, unmount } = renderHook(() => useOrderFlow(aSymbol()))
  act(() => result.current.submit(FORM, VIEW))
  unmount()
  refuse(await sentId())
  await screen.findByText(/Payout changed/)
  expect(container.textContent).toContain('BTC/USDT')
})

it('FA5: a refusal that the form shows becomes no toast', async () => {
  const { container } = show()
  const { result } = renderHook(() => useOrderFlow(aSymbol()))
  act(() => result.current.submit(FORM, VIEW))
  refuse(await sentId())
  await vi.waitFor(() => expect(result.current.flow).toMatchObject({ step: 'form', error: 'Payout changed' }))
  expect(container.textContent).toBe('')
})

it('FA5: a refusal without a form becomes a toast also when the toasts are loaded after the refusal', async () => {
  void placeOrder(ORDER)
  refuse(await sentId())
  show()
  expect(await screen.findByText(/Payout changed/)).toBeTruthy()
})

it('FA5: an order that the user cancelled becomes no toast', async () => {
  const { container } = show()
  network.isUp = false
  const placed = placeOrder(ORDER, 'mine')
  network.isUp = true
  act(() => cancelOrder('mine'))
  expect(await placed).toMatchObject({ code: 'cancelled' })
  expect(container.textContent).toBe('')
})
