import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { placedAlert } from '#web/alerts/placed-alert.ts'
import { withData } from '#web/api/query.tsx'
import { AlertLayer } from '#web/chart/alert-layer.tsx'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import { DrawingLayer } from '#web/chart/drawing-layer.tsx'
import { chosenTool, drawingsNow, takeTool } from '#web/chart/drawing-store.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { publishTick } from '#web/live/live-store.ts'

beforeEach(async () => {
  await loadTexts('more')
  fakeApi({ 'GET /user/alerts': { body: { data: { alerts: [] } } } })
})

/** The layers over the bars. This chart has no bars, so no position has a price. */
const layers = {
  context: {
    chart: {
      subscribeClick: () => undefined,
      unsubscribeClick: () => undefined,
      panes: () => [{ getHeight: () => 300 }],
      timeScale: () => ({ width: () => 300, logicalToCoordinate: () => null }),
    },
    axis: () => ({ times: [], stepMs: 60_000 }),
    bars: () => ({ coordinateToPrice: () => null }),
    colours: () => ({}),
    decimals: 2,
  },
  xOf: () => null,
  yOf: () => null,
  add: () => () => undefined,
} as unknown as ChartLayers

const place = { getLayers: () => layers, symbol: 'NEW' }
const Alerts = withData(() => <AlertLayer box={{ current: document.body }} {...place} decimals={2} />)

test('on a chart without bars and without a price, placing an alert ends with a message', async () => {
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Alerts />
    </ToastProvider>,
  )
  act(() => placedAlert.set({ symbol: 'NEW', id: null, level: null }))
  expect(placedAlert.get()).toBeNull()
  expect((await screen.findByText('No prices yet')).isConnected).toBe(true)
})

test('on a chart without bars an alert starts at the newest price', async () => {
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Alerts />
    </ToastProvider>,
  )
  publishTick('NEW', { price: 12.5, change: 0, time: 1, stale: false })
  act(() => placedAlert.set({ symbol: 'NEW', id: null, level: null }))
  await waitFor(() => expect(placedAlert.get()).toEqual({ symbol: 'NEW', id: null, level: '12.50' }))
})

test('on a chart without bars no drawing is placed in the middle', async () => {
  render(
    <ToastProvider dismissLabel="Dismiss">
      <DrawingLayer box={{ current: document.body }} {...place} />
    </ToastProvider>,
  )
  act(() => takeTool('trend'))
  await userEvent.click(screen.getByRole('button', { name: 'Place in the middle' }))
  expect([drawingsNow('NEW'), chosenTool.get()]).toEqual([[], null])
  expect((await screen.findByText('No prices yet')).isConnected).toBe(true)
})
