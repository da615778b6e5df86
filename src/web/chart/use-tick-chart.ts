import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TickView } from '#core/charts/chart-type.ts'
import type { ChartSymbol } from '#web/chart/chart-symbol.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { runTickChart, type TickOverlay } from '#web/chart/run-tick-chart.ts'

interface Options extends TickOverlay {
  readonly symbol: ChartSymbol
  readonly view: TickView
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
  // Declared before the effects below: React runs effects in this order, and they read `current`.
  useLayoutEffect(() => {
    current.current = options
  })
  const { view } = options

  useEffect(() => {
    if (element.current === null) return undefined
    const run = runTickChart(element.current, {
      symbol: current.current.symbol,
      view,
      overlay: () => current.current,
      // A chart that has loaded once stays `ready`: it requests missed ticks when the connection is back.
      onLoaded: (isLoaded) => setState((before) => (isLoaded || before === 'ready' ? 'ready' : 'failed')),
      onDrawn: (ticks) => {
        points.current = ticks
        setHasTicks(ticks.length > 0)
      },
    })
    redraw.current = run.redraw
    return run.stop
  }, [element, view])

  // Zones change with the state of the order, not with the price.
  useEffect(() => redraw.current())
  return { state, hasTicks, shown: () => points.current }
}
