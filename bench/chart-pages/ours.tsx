import { createRoot } from 'react-dom/client'
import { createStore } from '#ui/state/store.ts'
import { CandleChart } from '#web/chart/candle-chart.ts'
import type { LegendFigures } from '#web/chart/chart-bars.ts'
import { Legend } from '#web/chart/legend.tsx'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { offer } from './measured-page.ts'
import { sampleBars } from './sample-bars.ts'

// Our chart with all its layers: session breaks, legend, countdown, an open order with its zones, markers of settled
// orders.

const OUTCOMES = ['won', 'lost', 'draw', 'void'] as const
let update: Parameters<typeof offer>[0]['update'] = () => undefined

offer({
  make: (element, count) => {
    const legend = createStore<LegendFigures | null>(null)
    const box = element.appendChild(document.createElement('div'))
    const words = element.appendChild(document.createElement('div'))
    box.style.height = '100%'
    const chart = new CandleChart(box, {
      marketType: 'us_stocks',
      interval: '1m',
      decimals: 2,
      splits: () => [],
      words: { aboveWins: 'wins', belowLoses: 'loses', aboveLoses: 'loses', belowWins: 'wins' },
      onNearStart: () => undefined,
      onNearEnd: () => undefined,
      onLegend: legend.set,
      onView: () => undefined,
      onFreeScale: () => undefined,
      onTrade: () => undefined,
    })
    createRoot(words).render(<Legend legend={legend} interval="1m" type="candles" decimals={2} />)
    let bars = sampleBars(count)
    const newest = bars.at(-1)
    if (newest === undefined) return
    chart.setBars(bars, true)
    const order = {
      id: 'o',
      direction: 1,
      entryPrice: newest.close,
      isSelected: true,
      isPreview: false,
      exit: null,
    } as const
    const running = { ...order, openedAt: newest.time, expiresAt: newest.time + 300_000 }
    chart.setTrades(bars.filter((_, index) => index % 50 === 0).map(tradeAt))
    update = (bar) => {
      bars = bar.time === bars.at(-1)?.time ? [...bars.slice(0, -1), bar] : [...bars, bar]
      chart.updateBar(bar, bars)
      chart.setOrders([running], { time: bar.time, price: bar.close })
      chart.setCountdown(30_000)
    }
    chart.setOrders([running], { time: newest.time, price: newest.close })
  },
  update: (bar) => update(bar),
})

function tradeAt({ time, close }: { time: number; close: number }, index: number): ChartTrade {
  const outcome = OUTCOMES[index % OUTCOMES.length] ?? 'won'
  const ends = { expiresAt: time + 300_000, exitPrice: outcome === 'void' ? null : close + 0.2 }
  return { id: String(index), direction: 1, entryPrice: close, openedAt: time, outcome, ...ends }
}
