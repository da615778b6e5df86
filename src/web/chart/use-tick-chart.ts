import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TickView } from '#core/charts/chart-type.ts'
import { MAX_RECENT_SECONDS } from '#core/markets/recent-ticks.ts'
import { retry } from '#ui/retry.ts'
import { call } from '#web/api/call.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import { followPrice } from '#web/chart/follow-price.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { createTickChart } from '#web/chart/tick-chart.ts'
import { TICK_SPAN_MS } from '#web/chart/tick-grid.ts'
import { TickLine } from '#web/chart/tick-line.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import { followEveryTick } from '#web/live/every-tick.ts'
import { serverNow } from '#web/live/live-client.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'

interface Options {
  readonly symbol: ChartSymbol
  readonly view: TickView
  readonly orders: readonly ChartOrder[]
  readonly trades: readonly ChartTrade[]
  readonly onTrade: (id: string) => void
}

export interface TickChartState {
  readonly state: 'loading' | 'failed' | 'ready'
  readonly hasTicks: boolean
  /** Returns the ticks on the chart, oldest first. */
  readonly shown: () => readonly TickPoint[]
}

/**
 * Runs the chart of the newest ticks in `element`. The component needs a `key`, so that another symbol or view remounts
 * it.
 */
export function useTickChart(element: RefObject<HTMLDivElement | null>, options: Options): TickChartState {
  const current = useRef(options)
  const redraw = useRef<() => void>(() => undefined)
  const points = useRef<readonly TickPoint[]>([])
  const [state, setState] = useState<TickChartState['state']>('loading')
  const [hasTicks, setHasTicks] = useState(false)
  // Declared before the effects below, which read it.
  useLayoutEffect(() => {
    current.current = options
  })
  const { code, productId, decimals } = options.symbol
  const { view } = options

  useEffect(() => {
    const box = element.current
    if (!box) return undefined
    const abort = new AbortController()
    const line = new TickLine()
    const chart = createTickChart(box, {
      decimals,
      words: zoneWords(),
      onTrade: (id) => current.current.onTrade(id),
    })
    let isRequested = false

    function draw(): void {
      isRequested = false
      if (abort.signal.aborted) return
      const { orders, trades } = current.current
      const now = serverNow()
      line.forget(now - TICK_SPAN_MS)
      const runs = line.runs(view)
      points.current = runs.flat()
      const placed = orders.map((order) => followPrice(order, code))
      chart.set({ runs, orders: placed, trades, last: newestOf(latestTick(code), line.newest), now })
      setHasTicks(points.current.length > 0)
    }
    redraw.current = () => {
      if (isRequested) return
      isRequested = true
      requestAnimationFrame(draw)
    }

    async function load(): Promise<void> {
      try {
        const body = { symbol: productId, seconds: MAX_RECENT_SECONDS }
        const { data, meta } = await retry(() => call('POST /user/recent-ticks', { body, signal: abort.signal }))
        if (abort.signal.aborted) return
        const ticks = data.map(([q, time, price]) => ({ q, time, price }))
        line.addPast(ticks, { silenceMs: meta?.max_tick_age_ms, isThinned: meta?.thinned ?? false })
        setState('ready')
        redraw.current()
      } catch {
        failed()
      }
    }

    function failed(): void {
      if (!abort.signal.aborted) setState((before) => (before === 'ready' ? before : 'failed'))
    }

    draw()
    const second = setInterval(() => redraw.current(), 1_000)
    const stops = [
      followEveryTick({
        code,
        onTicks: (ticks) => {
          line.add(ticks)
          redraw.current()
        },
        onReady: () => void load(),
        onLost: failed,
      }),
      onTick(code, () => redraw.current()),
      onColourChange(() => {
        chart.applyColours()
        redraw.current()
      }),
      () => clearInterval(second),
      () => abort.abort(),
    ]
    return () => {
      for (const stop of stops) stop()
      chart.remove()
    }
  }, [element, code, productId, decimals, view])

  // Zones change with the state of the order, not with the price.
  useEffect(() => redraw.current())
  return { state, hasTicks, shown: () => points.current }
}

function newestOf(latest: TickPoint | null, drawn: TickPoint | null): TickPoint | null {
  return latest === null || (drawn !== null && drawn.time >= latest.time) ? drawn : latest
}
