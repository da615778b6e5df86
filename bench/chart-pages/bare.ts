import { CandlestickSeries, createChart, HistogramSeries, type Time } from 'lightweight-charts'
import { offer } from './measured-page.ts'
import { sampleBars } from './sample-bars.ts'

// The chart library alone: candles and volume in two panes, with default settings.

const secondsOf = (ms: number) => (ms / 1000) as Time
let update: Parameters<typeof offer>[0]['update'] = () => undefined

offer({
  make: (element, count) => {
    const chart = createChart(element, { autoSize: true })
    const candles = chart.addSeries(CandlestickSeries)
    const volume = chart.addSeries(HistogramSeries, {}, 1)
    const bars = sampleBars(count)
    candles.setData(bars.map((bar) => ({ ...bar, time: secondsOf(bar.time) })))
    volume.setData(bars.map((bar) => ({ time: secondsOf(bar.time), value: bar.volume })))
    update = (bar) => {
      candles.update({ ...bar, time: secondsOf(bar.time) })
      volume.update({ time: secondsOf(bar.time), value: bar.volume })
    }
  },
  update: (bar) => update(bar),
})
