import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { onTick } from '#web/live/live-store.ts'
import { loadBars } from '#web/chart/candle-data.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import { createOrderChart } from '#web/chart/order-chart.ts'
import { gridOf, type TickPoint } from '#web/chart/tick-line.ts'
import { trailOf } from '#web/chart/tick-trail.ts'

interface Options {
  code: string
  productId: string
  decimals: number
  order: ChartOrder
  others: readonly ChartOrder[]
  /** Ticks known from elsewhere: entry, exit, those around the expiry. */
  known: readonly TickPoint[]
}

/** An order's own view in `element`. For another order the component is made anew, by its key. */
export function useOrderChart(element: RefObject<HTMLDivElement | null>, options: Options): void {
  const current = useRef(options)
  const redraw = useRef<() => void>(() => undefined)
  // Before the effects below, which read it.
  useLayoutEffect(() => {
    current.current = options
  })
  const { code, productId, decimals } = options
  const { openedAt, expiresAt } = options.order

  useEffect(() => {
    const box = element.current
    if (!box) return undefined
    const abort = new AbortController()
    const made = createOrderChart(box, { openedAt, expiresAt, decimals, words: zoneWords() })
    let base: TickPoint[] = []
    let isAsked = false

    function draw(): void {
      isAsked = false
      const now = current.current
      if (abort.signal.aborted) return
      const trail = trailOf(now.code)
      // What was seen live is finer than the candles; those only fill what went by unseen.
      const seenFrom = trail[0]?.time ?? Infinity
      made.set(now.order, now.others, [...base.filter((tick) => tick.time < seenFrom), ...now.known, ...trail])
    }
    redraw.current = () => {
      if (isAsked) return
      isAsked = true
      requestAnimationFrame(draw)
    }

    const fill = async () => {
      try {
        base = await pricesBefore({ productId, openedAt, expiresAt }, abort.signal)
        redraw.current()
      } catch {
        // The line then starts with the first price seen.
      }
    }
    draw()
    void fill()
    const stopTicks = onTick(code, () => redraw.current())
    const stopColours = onColourChange(() => {
      made.applyColours()
      redraw.current()
    })
    return () => {
      abort.abort()
      stopTicks()
      stopColours()
      made.remove()
    }
  }, [element, code, productId, decimals, openedAt, expiresAt])

  // Zones and known ticks change with the state of the order, not with the price.
  useEffect(() => redraw.current())
}

/** Prices of the time before this page looked: the opening and closing prices of the finest fitting candles. */
async function pricesBefore(
  { productId, openedAt, expiresAt }: { productId: string; openedAt: number; expiresAt: number },
  signal: AbortSignal,
): Promise<TickPoint[]> {
  const { fromMs, toMs } = gridOf({ openedAt, expiresAt })
  const fits = (interval: ChartInterval) => (toMs - fromMs) / intervalMs(interval) < 900
  const interval: ChartInterval = fits('1m') ? '1m' : fits('5m') ? '5m' : '30m'
  const bars = await loadBars({ symbol: productId, interval, limit: 1000, before: toMs }, signal)
  // A candle still open has no close yet.
  return bars
    .slice(0, -1)
    .filter((bar) => bar.time >= fromMs - intervalMs(interval))
    .flatMap((bar) => [
      { time: bar.time, price: bar.open },
      { time: bar.time + intervalMs(interval) - 1, price: bar.close },
    ])
}
