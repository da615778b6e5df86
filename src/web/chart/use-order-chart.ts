import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MarketType } from '#core/markets/market.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import { type Course, followCourse } from '#web/chart/follow-course.ts'
import { gridOf } from '#web/chart/line-grid.ts'
import { courseSource } from '#web/chart/load-course.ts'
import { createOrderChart } from '#web/chart/order-chart.ts'
import { gapsOf, runsOf, type Span } from '#web/chart/price-course.ts'
import { trailEnd, trailOf } from '#web/chart/tick-trail.ts'
import { serverNow } from '#web/live/live-client.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'
import { onReconnect } from '#web/live/on-reconnect.ts'
import { ageLimitMs } from '#web/live/tick-feed.ts'

interface Options {
  code: string
  productId: string
  marketType: MarketType
  decimals: number
  order: ChartOrder
  others: readonly ChartOrder[]
}

/** 4 s: twice the pause between two requests for missed prices. */
const GRACE_MS = 4_000

/**
 * Runs the chart of one order in `element`. Returns whether prices since its entry are missing. The component needs a
 * `key`, so that another order remounts it.
 */
export function useOrderChart(element: RefObject<HTMLDivElement | null>, options: Options): boolean {
  const current = useRef(options)
  const redraw = useRef<() => void>(() => undefined)
  const [hasGaps, setHasGaps] = useState(false)
  // Declared before the effects below: React runs effects in this order, and they read `current`.
  useLayoutEffect(() => {
    current.current = options
  })
  const { code, productId, marketType, decimals } = options
  const { id, openedAt, expiresAt, entryPrice } = options.order

  useEffect(() => {
    const box = element.current
    if (!box) return undefined
    let isRequested = false
    let isGone = false
    const stillMs = ageLimitMs(code, marketType)
    const { fromMs, toMs, stepMs } = gridOf({ openedAt, expiresAt })
    const span = { from: fromMs, through: toMs }
    const newChart = createOrderChart(box, { openedAt, expiresAt, entryPrice, decimals, words: zoneWords() })
    const follower = followCourse({
      span,
      ...courseSource({ id, productId, openedAt, expiresAt, span }),
      live: () => trailOf(code),
      newest: () => trailEnd(code)?.time ?? serverNow(),
      onChange: () => redraw.current(),
    })

    function draw(): void {
      isRequested = false
      if (isGone) return
      const { order, others } = current.current
      const course = follower.course()
      // Thinned ticks can be a step apart, so a shorter silence must not interrupt the line.
      const runs = runsIn(course, span, Math.max(stillMs, stepMs))
      newChart.set(order, others, { runs, ranges: course.ranges, last: runs.at(-1)?.at(-1) ?? latestTick(code) })
      const drawn = runs.map((run) => ({ from: run[0]?.time ?? 0, through: run.at(-1)?.time ?? 0 }))
      // Prices missed in the last seconds are still being requested, so they do not count as gaps yet.
      const since = { from: openedAt, through: Math.min(expiresAt, (trailEnd(code)?.time ?? 0) - GRACE_MS) }
      // Narrower gaps are invisible.
      const visibleMs = Math.max(1_000, 2 * stepMs)
      setHasGaps(course.isSettled && gapsOf([...drawn, ...course.ranges], since, visibleMs).length > 0)
    }
    redraw.current = () => {
      if (isRequested) return
      isRequested = true
      requestAnimationFrame(draw)
    }

    draw()
    follower.look()
    const stops = [
      onTick(code, () => {
        redraw.current()
        follower.look()
      }),
      onReconnect(follower.lookNow),
      onColourChange(() => {
        newChart.applyColours()
        redraw.current()
      }),
    ]
    return () => {
      isGone = true
      follower.stop()
      for (const stop of stops) stop()
      newChart.remove()
    }
  }, [element, code, productId, marketType, decimals, id, openedAt, expiresAt, entryPrice])

  // Zones change with the state of the order, not with the price.
  useEffect(() => redraw.current())
  return hasGaps
}

function runsIn({ stretches }: Course, { from, through }: Span, stillMs: number) {
  const within = stretches.map((one) => ({
    ...one,
    ticks: one.ticks.filter(({ time }) => time >= from && time <= through),
  }))
  return runsOf(within, stillMs)
}
