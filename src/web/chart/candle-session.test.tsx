import { expect, it, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { CandleSession } from '#web/chart/candle-session.ts'
import type { CandleOverlay } from '#web/chart/shown-candles.ts'
import { deskNow } from '#web/options/desk.ts'

const drawSeams = vi.hoisted(() => vi.fn<() => void>())
vi.mock('#web/chart/candle-chart.ts', () => ({
  CandleChart: class {
    drawSeams = drawSeams
    screen = { bars: [], readings: [], hasNewest: true }
    setDrawing = () => undefined
    setLogarithmic = () => undefined
    setOrders = () => undefined
    setTrades = () => undefined
    setBars = () => undefined
    setCountdown = () => undefined
    remove = () => undefined
  },
}))

const OVERLAY: CandleOverlay = {
  splits: [],
  orders: [],
  trades: [],
  loads: 0,
  onTrade: () => undefined,
  maxPanes: 1,
  desk: deskNow(),
}

it('new splits are drawn at once', () => {
  fakeApi({})
  const session = new CandleSession(OVERLAY)
  session.start(document.createElement('div'), {
    code: 'AAPL',
    productId: 'AAPL',
    marketType: 'us_stocks',
    interval: '1m',
    decimals: 2,
  })
  session.update({ ...OVERLAY, orders: [] })
  expect(drawSeams).not.toHaveBeenCalled()
  session.update({ ...OVERLAY, splits: [{ new_shares: 2, old_shares: 1, applies_at: 0 }] })
  expect(drawSeams).toHaveBeenCalledOnce()
  session.dispose()
})
