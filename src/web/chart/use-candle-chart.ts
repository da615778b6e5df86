import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isOpen } from '#core/markets/calendar/sessions.ts'
import type { SplitOut } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { createStore, type Store } from '#ui/state/store.ts'
import { createBarHistory } from '#web/chart/bar-history.ts'
import type { Bar } from '#web/chart/bar.ts'
import { type CandleChart, type ChartView, createCandleChart, type LegendBars } from '#web/chart/candle-chart.ts'
import { barOfMessage, loadPastBars } from '#web/chart/candle-data.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { followCandles } from '#web/live/candle-feed.ts'
import { serverNow } from '#web/live/live-client.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'

export interface CandleChartState {
  state: 'loading' | 'failed' | 'ready'
  /** The last 30 bars as last loaded or closed, for the summary. */
  recent: readonly Bar[]
  legend: Store<LegendBars | null>
  view: ChartView
  isLoadingOlder: boolean
  /** No bars older than the oldest loaded one exist. */
  hasOldest: boolean
  moveCrosshair: (step: number) => LegendBars | null
  clearCrosshair: () => void
  toNewest: () => void
}

const RECENT = 30
const AT_END: ChartView = { isAway: false, isBeforeStart: false }

interface Options {
  code: string
  productId: string
  marketType: MarketType
  interval: ChartInterval
  decimals: number
  splits: readonly SplitOut[]
  orders: readonly ChartOrder[]
  trades: readonly ChartTrade[]
  /** Incremented to reload the newest candles. */
  loads: number
  onTrade: (id: string) => void
}

/**
 * Runs a candle chart in `element` with its history, live candles, older bars and orders. The component needs a `key`,
 * so that another symbol or interval remounts it.
 */
export function useCandleChart(element: RefObject<HTMLDivElement | null>, options: Options): CandleChartState {
  const { code, productId, marketType, interval, decimals, orders, trades, loads } = options
  const [state, setState] = useState<CandleChartState['state']>('loading')
  const [recent, setRecent] = useState<readonly Bar[]>([])
  const [view, setView] = useState(AT_END)
  const [isLoadingOlder, setIsLoadingOlder] = useState(false)
  const [hasOldest, setHasOldest] = useState(false)
  const [legend] = useState(() => createStore<LegendBars | null>(null))
  const chart = useRef<CandleChart>(null)
  const current = useRef(options)
  const redraw = useRef<() => void>(null)
  const reload = useRef<() => void>(null)
  const loadsDone = useRef(loads)
  const toNewest = useRef<() => void>(null)

  useEffect(() => {
    const box = element.current
    if (box === null) return undefined
    const abort = new AbortController()
    const stepMs = intervalMs(interval)
    let waiting: Bar | null = null
    let newest: Bar | null = null
    const newChart = createCandleChart(box, {
      marketType,
      interval,
      decimals,
      words: zoneWords(),
      splits: () => current.current.splits,
      onNearStart: () => history.loadOlder(),
      onNearEnd: () => history.loadNewer(),
      onLegend: legend.set,
      onView: (next) =>
        setView((seen) => (seen.isAway === next.isAway && seen.isBeforeStart === next.isBeforeStart ? seen : next)),
      onTrade: (id) => current.current.onTrade(id),
    })
    chart.current = newChart
    const history = createBarHistory({
      stepMs,
      now: serverNow,
      load: (query) => loadPastBars({ symbol: productId, interval, now: serverNow(), ...query }, abort.signal),
      onLoading: (isLoading) => {
        if (!abort.signal.aborted) setIsLoadingOlder(isLoading)
      },
      onChange: (window, added) => {
        if (abort.signal.aborted) return
        const { bars } = window
        const isNext = added !== null && added.time !== newest?.time
        if (window.hasNewest) newest = bars.at(-1) ?? null
        if (added === null) newChart.setBars(bars)
        else newChart.updateBar(added, bars)
        if (added !== null && !isNext) return
        if (window.hasNewest) setRecent(bars.slice(-RECENT))
        setHasOldest(window.hasOldest)
        drawOrders()
      },
    })

    async function load(): Promise<void> {
      try {
        await history.loadNewest()
        if (!abort.signal.aborted) setState('ready')
      } catch {
        if (!abort.signal.aborted) setState((known) => (known === 'ready' ? known : 'failed'))
      }
    }

    function draw(): void {
      const bar = waiting
      waiting = null
      if (bar !== null && !abort.signal.aborted) history.take(bar)
    }

    function drawOrders(): void {
      const { orders: wanted, trades: settled } = current.current
      newChart.setOrders(
        wanted.map((order) => followPrice(order, code)),
        lastPrice(),
      )
      newChart.setTrades(settled)
      drawCountdown()
    }

    function drawCountdown(): void {
      const now = serverNow()
      const leftMs = newest === null ? 0 : newest.time + stepMs - now
      newChart.setCountdown(leftMs > 0 && isOpen(marketType, instant(Math.round(now))) ? leftMs : null)
    }

    /** A closed market sends no prices, so its last candle provides the last one. */
    function lastPrice(): TickPoint | null {
      return latestTick(code) ?? (newest ? { time: newest.time, price: newest.close } : null)
    }

    redraw.current = drawOrders
    reload.current = () => void load()
    const showNewest = async () => {
      await history.returnToNewest()
      if (!abort.signal.aborted) newChart.toNewest()
    }
    toNewest.current = () => void showNewest().catch(() => undefined)
    void load()
    const stopFeed = followCandles({
      productId,
      interval,
      onResync: () => void load(),
      onCandle: (candle) => {
        const bar = barOfMessage(candle)
        // The close of a candle must be drawn before the first price of the next one within the same frame.
        if (waiting !== null && waiting.time < bar.time) draw()
        if (waiting === null) requestAnimationFrame(draw)
        waiting = bar
      },
    })
    const stopTicks = onTick(code, drawOrders)
    const stopColours = onColourChange(newChart.applyColours)
    const everySecond = setInterval(drawCountdown, 1_000)
    return () => {
      abort.abort()
      stopFeed()
      stopTicks()
      stopColours()
      clearInterval(everySecond)
      chart.current = null
      redraw.current = null
      reload.current = null
      toNewest.current = null
      newChart.remove()
    }
  }, [element, code, productId, marketType, interval, decimals, legend])

  useEffect(() => {
    if (loadsDone.current !== loads) reload.current?.()
    loadsDone.current = loads
  }, [loads])
  useLayoutEffect(() => {
    const isOther = current.current.orders !== orders || current.current.trades !== trades
    current.current = options
    if (isOther) redraw.current?.()
  })

  return {
    state,
    recent,
    legend,
    view,
    isLoadingOlder,
    hasOldest,
    moveCrosshair: (step) => chart.current?.moveCrosshair(step) ?? null,
    clearCrosshair: () => chart.current?.clearCrosshair(),
    toNewest: () => toNewest.current?.(),
  }
}

/** The form's preview always starts at the current time and the newest price. */
function followPrice(order: ChartOrder, code: string): ChartOrder {
  const tick = latestTick(code)
  if (!order.isPreview || tick === null) return order
  const length = order.expiresAt - order.openedAt
  return { ...order, entryPrice: tick.price, openedAt: tick.time, expiresAt: tick.time + length }
}
