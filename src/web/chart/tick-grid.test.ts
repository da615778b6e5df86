import { expect, it } from 'vitest'
import { tickGrid } from '#web/chart/tick-grid.ts'

const NOW = 10_000_400
const SPAN = { fromMs: 9_100_000, stepMs: 1_000 }

it('the axis shows the last 15 minutes and one minute of room, in whole seconds', () => {
  expect(tickGrid(NOW, [])).toEqual({ ...SPAN, toMs: 10_060_000 })
  expect(tickGrid(NOW + 600, [])).toEqual({ fromMs: 9_101_000, toMs: 10_061_000, stepMs: 1_000 })
})

it('the axis leaves room for a near expiry, and ignores expired orders and distant expiries', () => {
  const orders = [-60_000, 300_000, 3_600_000].map((ms) => ({ expiresAt: NOW + ms }))
  expect(tickGrid(NOW, orders)).toEqual({ ...SPAN, toMs: 10_315_000 })
})
