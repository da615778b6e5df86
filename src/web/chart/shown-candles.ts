import type { SplitOut } from '#contract/markets.ts'
import type { ChartType } from '#core/charts/chart-type.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import type { ScreenFigures } from '#web/chart/chart-bars.ts'
import type { ChartOrder } from '#web/chart/chart-order.ts'
import type { FreeScale } from '#web/chart/scale-watch.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import type { ChartView } from '#web/chart/viewport.ts'
import type { Desk } from '#web/options/desk.ts'

/** Identifies the candles of a chart. */
export interface CandleSeries {
  readonly code: string
  readonly productId: string
  readonly marketType: MarketType
  readonly interval: ChartInterval
  readonly decimals: number
}

/** The data that can change while the same candles are shown. */
export interface CandleOverlay {
  readonly splits: readonly SplitOut[]
  readonly orders: readonly ChartOrder[]
  readonly trades: readonly ChartTrade[]
  /** Incremented to reload the newest candles. */
  readonly loads: number
  readonly onTrade: (id: string) => void
  readonly desk: Desk
  /** How many indicators can have a pane of their own. */
  readonly maxPanes: number
}

/** The state that the page shows around the chart. */
export interface ShownCandles {
  readonly state: 'loading' | 'failed' | 'ready'
  readonly hasBars: boolean
  /** The bars in view, for the summary. Null before the first summary. */
  readonly screen: ScreenFigures | null
  readonly view: ChartView
  /** The price scale as the user moved it; null while it fits the prices by itself. */
  readonly freeScale: FreeScale | null
  readonly isLoadingOlder: boolean
  /** Whether no bars older than the oldest loaded bar exist. */
  readonly hasOldest: boolean
  /** The type that is drawn. The code of a chosen type may still load. */
  readonly type: ChartType
  /** Whether some indicators are hidden, because their panes need a larger chart. */
  readonly hasHiddenPanes: boolean
}

/** The state before the first bars have loaded. */
export const AT_START: ShownCandles = {
  state: 'loading',
  hasBars: false,
  screen: null,
  view: { isAway: false, isBeforeStart: false },
  freeScale: null,
  isLoadingOlder: false,
  hasOldest: false,
  type: 'candles',
  hasHiddenPanes: false,
}
