import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BUY } from '#core/orders/order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { CountdownPanel } from '#web/screens/trade/countdown-panel.tsx'

const ORDER: PlacedOrder = {
  id: 'a',
  clientOrderId: 'c',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: BUY,
  stake: 100,
  payout: 80,
  seconds: 60,
  openedAt: Date.UTC(2026, 0, 5, 21, 6, 4, 978),
  expiresAt: Date.UTC(2026, 0, 5, 21, 7, 4, 978),
  entryPrice: 94_000,
  entryAt: Date.UTC(2026, 0, 5, 21, 6, 4, 637),
}

test.each([false, true])(
  'an open order links to its signed receipt, even while it waits for its result (%s)',
  (isWaiting) => {
    render(<CountdownPanel order={ORDER} decimals={2} isWaiting={isWaiting} />)
    const link = screen.getByRole('link', { name: 'Signed receipt FW-1' })
    expect(link.getAttribute('href')).toBe('/check/FW-1')
  },
)

test('P17: an open order shows acceptance, entry and expiry to the millisecond, in this order', () => {
  render(<CountdownPanel order={ORDER} decimals={2} isWaiting={false} />)
  const terms = screen.getAllByRole('term').map(({ textContent }) => textContent)
  expect(terms).toEqual(['Accepted', 'Entry', 'Expiry', 'If wrong'])
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '21:06:04.978 UTC',
    '94,000.0000',
    '21:06:04.637 UTC',
    '21:07:04.978 UTC',
    '−$100.00',
  ])
})

test("an order that waits for its provider's history names the source and the expiry", () => {
  render(<CountdownPanel order={ORDER} decimals={2} isWaiting record="binance" />)
  expect(
    screen.getByText("Waiting for binance's record of 21:07:04.978 UTC. Your result does not depend on us being here."),
  ).toBeTruthy()
})
