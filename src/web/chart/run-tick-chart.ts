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
import { onReconnect } from '#web/live/on-reconnect.ts'

/** The orders and trades on a line of ticks. They can change while the ticks stay. */
export interface TickOverlay {
  readonly orders: readonly ChartOrder[]
  readonly trades: readonly ChartTrade[]
  readonly onTrade: (id: string) => void
}

interface TickChartParts {
  readonly symbol: ChartSymbol
  readonly view: TickView
  readonly overlay: () => TickOverlay
  /**
   * Called with true when the past ticks have loaded. Called with false when they cannot be loaded, or the connection
   * is lost.
   */
  readonly onLoaded: (isLoaded: boolean) => void
  readonly onDrawn: (ticks: readonly TickPoint[]) => void
}

/** 1 s between two moves of the axis while no tick arrives. */
const MOVE_MS = 1_000

/** Runs a chart of the newest ticks in an element, until `stop`. */
export function runTickChart(element: HTMLElement, parts: TickChartParts): { redraw: () => void; stop: () => void } {
  const { symbol, view, overlay, onLoaded, onDrawn } = parts
  const { code, productId, decimals } = symbol
  const abort = new AbortController()
  const line = new TickLine()
  const chart = createTickChart(element, { decimals, words: zoneWords(), onTrade: (id) => overlay().onTrade(id) })
  let isRequested = false
  let lacksPast = false

  function draw(): void {
    isRequested = false
    if (abort.signal.aborted) return
    const { orders, trades } = overlay()
    const now = serverNow()
    line.forget(now - TICK_SPAN_MS)
    const runs = line.runs(view)
    const placed = orders.map((order) => followPrice(order, code))
    chart.set({ runs, orders: placed, trades, last: newestOf(latestTick(code), line.newest), now })
    onDrawn(runs.flat())
  }

  function redraw(): void {
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
      lacksPast = false
      line.addPast(ticks, { silenceMs: meta?.max_tick_age_ms, isThinned: meta?.thinned ?? false })
      onLoaded(true)
      redraw()
    } catch {
      if (abort.signal.aborted) return
      lacksPast = true
      onLoaded(false)
    }
  }

  const unfollow = followEveryTick({
    code,
    onTicks: (ticks) => {
      line.add(ticks)
      redraw()
    },
    onReady: () => void load(),
    onLost: () => onLoaded(false),
  })
  const timer = setInterval(redraw, MOVE_MS)
  const recolour = (): void => {
    chart.applyColours()
    redraw()
  }
  const loadAgain = (): void => {
    if (lacksPast) void load()
  }
  const stops = [unfollow, onReconnect(loadAgain), onTick(code, redraw), onColourChange(recolour)]
  draw()
  return {
    redraw,
    stop: () => {
      abort.abort()
      clearInterval(timer)
      for (const stop of stops) stop()
      chart.remove()
    },
  }
}

function newestOf(latest: TickPoint | null, drawn: TickPoint | null): TickPoint | null {
  return latest === null || (drawn !== null && drawn.time >= latest.time) ? drawn : latest
}
