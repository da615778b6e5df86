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
  openedAt: 0,
  expiresAt: 60_000,
  entryPrice: 94_000,
}

test.each([false, true])('a running order leads to its signed receipt, also while it waits (%s)', (isWaiting) => {
  render(<CountdownPanel order={ORDER} decimals={2} isWaiting={isWaiting} />)
  const link = screen.getByRole('link', { name: 'Signed receipt FW-1' })
  expect(link.getAttribute('href')).toBe('/check/FW-1')
})
