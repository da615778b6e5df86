import { expect, it } from 'vitest'
import { windowToOpen } from './window-to-open.ts'

const windowAt = (path: string, visibilityState: 'visible' | 'hidden') => ({
  url: `https://site.test${path}`,
  visibilityState,
})

it('a pressed notification opens in a window of the app, a visible one first', () => {
  const wallet = windowAt('/wallet', 'hidden')
  const trade = windowAt('/trade/BTC?order=FW-1', 'visible')
  expect(windowToOpen([wallet, trade])).toBe(trade)
  expect(windowToOpen([wallet])).toBe(wallet)
  expect(windowToOpen([])).toBeUndefined()
})

it('other pages of the site cannot show the path, even when visible', () => {
  const docs = windowAt('/api/docs', 'visible')
  const admin = windowAt('/admin/withdrawals', 'visible')
  const wallet = windowAt('/wallet', 'hidden')
  expect(windowToOpen([docs, admin])).toBeUndefined()
  expect(windowToOpen([docs, wallet])).toBe(wallet)
})
