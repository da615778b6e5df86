import type { IChartApiBase } from 'lightweight-charts'
import type { MarketType } from '#core/markets/market.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import type { Slot } from '#web/chart/with-holes.ts'

/** The values of an indicator at a bar, as shown and read aloud. */
export interface IndicatorReading {
  readonly name: string
  /** The index of the indicator's colour, from 0. */
  readonly colour: number
  /** One text per value; null while there are not enough bars. */
  readonly values: readonly string[] | null
}

/** The indicators of a chart. Their code loads when the first one is chosen. */
export interface Indicators {
  /** How many bars before the visible ones are needed. */
  readonly warmUpBars: number
  /**
   * Shows stored indicators, at most `maxPanes` of them in panes of their own. Returns whether other indicators are
   * hidden, because their panes do not fit.
   */
  readonly choose: (stored: readonly unknown[], maxPanes: number) => boolean
  /** Takes all bars. `hasOldest` means that no older bars exist. */
  readonly set: (slots: readonly Slot[], hasOldest: boolean) => void
  /** Takes a change of the last bar, or the bar after it. */
  readonly update: (slots: readonly Slot[]) => void
  readonly applyColours: () => void
  readonly readingsAt: (time: number) => readonly IndicatorReading[]
  readonly remove: () => void
}

export interface IndicatorOptions {
  readonly chart: IChartApiBase
  readonly marketType: MarketType
  readonly stepMs: number
  readonly decimals: number
  readonly colours: () => ChartColours
  /** Called after the values of all bars have changed. */
  readonly onValues: () => void
}

export type CreateIndicators = (options: IndicatorOptions) => Indicators
