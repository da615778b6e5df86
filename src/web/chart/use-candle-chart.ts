import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { type Bar, type CandleChart, createCandleChart } from '#web/chart/candle-chart.ts'
import { barOfMessage, loadBars, mergeBars } from '#web/chart/candle-data.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { TickPoint } from '#web/chart/tick-line.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import { followCandles } from '#web/live/candle-feed.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'

export interface CandleChartState {
  state: 'loading' | 'failed' | 'ready'
  /** The last thirty bars as last loaded or closed, for the summary. */
  recent: readonly Bar[]
  moveCrosshair: (step: number) => void
}

const RECENT = 30

interface Options {
  code: string
  productId: string
  interval: ChartInterval
  decimals: number
  orders: readonly ChartOrder[]
}

/**
 * A candle chart in `element` with its history, live candles, older bars and orders. For another symbol or interval
 * the component is made anew, by its key.
 */
export function useCandleChart(element: RefObject<HTMLDivElement | null>, options: Options): CandleChartState {
  const { code, productId, interval, decimals, orders } = options
  const [state, setState] = useState<CandleChartState['state']>('loading')
  const [recent, setRecent] = useState<readonly Bar[]>([])
  const chart = useRef<CandleChart>(null)
  const drawn = useRef(orders)
  const redraw = useRef<() => void>(null)

  useEffect(() => {
    const box = element.current
    if (box === null) return undefined
    const abort = new AbortController()
    let bars: Bar[] = []
    let waiting: Bar | null = null
    let isLoadingOlder = false
    let hasAll = false
    const made = createCandleChart(box, { interval, decimals, words: zoneWords(), onNearStart: () => void loadOlder() })
    chart.current = made

    async function load(): Promise<void> {
      try {
        bars = mergeBars(bars, await loadBars({ symbol: productId, interval }, abort.signal))
        if (abort.signal.aborted) return
        made.setBars(bars)
        drawOrders()
        setRecent(bars.slice(-RECENT))
        setState('ready')
      } catch {
        if (!abort.signal.aborted && bars.length === 0) setState('failed')
      }
    }

    async function loadOlder(): Promise<void> {
      const oldest = bars[0]
      if (isLoadingOlder || hasAll || oldest === undefined) return
      isLoadingOlder = true
      try {
        const query = { symbol: productId, interval, before: oldest.time }
        const older = (await loadBars(query, abort.signal)).filter((bar) => bar.time < oldest.time)
        if (abort.signal.aborted) return
        hasAll = older.length === 0
        bars = mergeBars(older, bars)
        if (!hasAll) made.setBars(bars)
      } catch {
        // Scrolling on asks again.
      } finally {
        isLoadingOlder = false
      }
    }

    function draw(): void {
      const bar = waiting
      waiting = null
      const newest = bars.at(-1)
      if (abort.signal.aborted || bar === null || newest === undefined || bar.time < newest.time) return
      const isNext = bar.time > newest.time
      bars = isNext ? [...bars, bar] : [...bars.slice(0, -1), bar]
      made.updateBar(bar)
      if (isNext) setRecent(bars.slice(-RECENT))
    }

    function drawOrders(): void {
      made.setOrders(
        drawn.current.map((order) => followPrice(order, code)),
        lastPrice(),
      )
    }

    /** A closed market sends no prices: its last candle has the last one. */
    function lastPrice(): TickPoint | null {
      const newest = bars.at(-1)
      return latestTick(code) ?? (newest ? { time: newest.time, price: newest.close } : null)
    }

    redraw.current = drawOrders
    void load()
    const stopFeed = followCandles({
      productId,
      interval,
      onResync: () => void load(),
      onCandle: (candle) => {
        const bar = barOfMessage(candle)
        // A candle that closed must not be overtaken by the first price of the next within one frame.
        if (waiting !== null && waiting.time < bar.time) draw()
        if (waiting === null) requestAnimationFrame(draw)
        waiting = bar
      },
    })
    const stopTicks = onTick(code, drawOrders)
    const stopColours = onColourChange(made.applyColours)
    return () => {
      abort.abort()
      stopFeed()
      stopTicks()
      stopColours()
      chart.current = null
      redraw.current = null
      made.remove()
    }
  }, [element, code, productId, interval, decimals])

  useLayoutEffect(() => {
    drawn.current = orders
    redraw.current?.()
  }, [orders])

  return { state, recent, moveCrosshair: (step) => chart.current?.moveCrosshair(step) }
}

/** The form's preview starts now and at the newest price, wherever that has gone. */
function followPrice(order: ChartOrder, code: string): ChartOrder {
  const tick = latestTick(code)
  if (!order.isPreview || tick === null) return order
  const length = order.expiresAt - order.openedAt
  return { ...order, entryPrice: tick.price, openedAt: tick.time, expiresAt: tick.time + length }
}
