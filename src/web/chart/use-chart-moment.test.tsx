import { act, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { chartMoment } from '#web/chart/chart-moment.ts'
import PriceChart from '#web/chart/price-chart.tsx'
import { useChartMoment } from '#web/chart/use-chart-moment.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'

const TIME = Date.UTC(2026, 0, 31)
const BTC = { code: 'BTCUSDT', interval: '1m' } as const

beforeAll(() => loadTexts('more'))
afterEach(() => chartMoment.set(null))

test('a chart shows the chosen time once its bars have loaded', () => {
  const shown: number[] = []
  const chart = following(BTC, shown)
  act(() => chartMoment.set({ symbol: 'BTCUSDT', interval: '1m', time: TIME }))
  expect(shown).toEqual([])
  chart.rerender({ state: 'failed' })
  chart.rerender({ state: 'loading' })
  chart.rerender({ state: 'ready' })
  expect([shown, chartMoment.get()]).toEqual([[TIME], null])
})

test.each([
  ['symbol', { ...BTC, code: 'ETHUSDT' }],
  ['interval', { ...BTC, interval: '5m' as const }],
])('a time for another %s is dropped', (_, series) => {
  const shown: number[] = []
  chartMoment.set({ symbol: 'BTCUSDT', interval: '1m', time: TIME })
  const chart = following(series, shown)
  chart.rerender({ state: 'ready' })
  expect([shown, chartMoment.get()]).toEqual([[], null])
})

test('a time that no chart has shown is dropped when the user leaves the chart', () => {
  const page = render(<Table />)
  act(() => chartMoment.set({ symbol: 'BTCUSDT', interval: '1m', time: TIME }))
  page.unmount()
  expect(chartMoment.get()).toBeNull()
})

test('the keyboard focus moves from a part of the chart that disappears to the button that was pressed', () => {
  render(<Table />)
  const button = screen.getByRole('button', { name: 'Show as chart' })
  button.click()
  expect(document.activeElement).toBe(document.body)
  act(() => screen.getByRole('link').focus())
  button.click()
  expect(document.activeElement).toBe(button)
})

function Table() {
  fakeApi({})
  const symbol = { ...BTC, productId: '1', marketType: 'crypto', decimals: 2, splits: [], title: 'BTCUSDT' } as const
  const nothing = () => undefined
  return (
    <PriceChart
      symbol={symbol}
      interval="1m"
      order={null}
      orders={[]}
      trades={[]}
      onTrade={nothing}
      isTable
      onTable={nothing}
    />
  )
}

test('a message is shown when the bars around a chosen time cannot be loaded', async () => {
  chartMoment.set({ symbol: 'BTCUSDT', interval: '1m', time: TIME })
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Following />
    </ToastProvider>,
  )
  expect(await screen.findByText('unable to load data, try again later')).toBeDefined()
})

function Following() {
  useChartMoment({ state: 'ready', showTime: () => Promise.resolve(false) }, BTC)
  return null
}

function following(series: { code: string; interval: '1m' | '5m' }, shown: number[]) {
  const showTime = (time: number) => {
    shown.push(time)
    return Promise.resolve(true)
  }
  return renderHook(
    ({ state }: { state: 'loading' | 'failed' | 'ready' }) => useChartMoment({ state, showTime }, series),
    {
      initialProps: { state: 'loading' },
    },
  )
}
