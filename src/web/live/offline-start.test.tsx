import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SymbolItem } from '#contract/markets.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { MoneyText } from '#ui/figures.tsx'
import { setConnection, useIsOfflineStart } from '#web/live/live-store.ts'
import { ChangeFigure, PriceFigure } from '#web/symbols/live-figures.tsx'

const ITEM = {
  symbol: 'BTC',
  decimals: 4,
  price: 67_284.1,
  change: 2.5,
  spark: [1, 2],
  open: 1,
} as unknown as SymbolItem

let isOnline: { mockReturnValue: (value: boolean) => unknown }
beforeEach(() => {
  isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
})
afterEach(() => vi.restoreAllMocks())

/** A price, its change and a stored balance, as screens show them. */
function Shown() {
  const isOfflineStart = useIsOfflineStart()
  return (
    <p>
      <PriceFigure item={ITEM} tick={null} /> <ChangeFigure item={ITEM} tick={null} />{' '}
      <MoneyText amount={isOfflineStart ? null : moneyOf(1234.5)} />
    </p>
  )
}

it('a start without a network shows dashes until the server replies, and a later loss keeps the figures', () => {
  const { container } = render(<Shown />)
  expect(container.textContent).toBe('– – –')
  act(() => setConnection('connecting', 5_000))
  act(() => setConnection('offline', 5_000))
  expect(container.textContent).toBe('– – –')

  act(() => {
    isOnline.mockReturnValue(true)
    globalThis.dispatchEvent(new Event('online'))
    setConnection('connected', 6_000)
  })
  expect(container.textContent).toMatch(/67,284\.1000.*\$1,234\.50/)
  // The strip names the time of these figures.
  act(() => setConnection('offline', 7_000))
  expect(container.textContent).toMatch(/67,284\.1000.*\$1,234\.50/)
})
