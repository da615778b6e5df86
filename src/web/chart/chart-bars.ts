import type { SplitOut } from '#contract/markets.ts'
import type { AveragedBar } from '#core/indicators/heikin-ashi.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { Bar } from '#web/chart/bar.ts'
import type { IndicatorReading } from '#web/chart/indicators.ts'
import type { VisibleRange } from '#web/chart/visible-range.ts'
import { type Slot, withHoles } from '#web/chart/with-holes.ts'

/** The bar that the legend shows, and the previous bar, from which the change is computed. */
export interface LegendBars {
  readonly bar: Bar
  readonly previous: Bar | null
  /** Set for the first bar after a split: the previous bar has prices on another basis. */
  readonly split: SplitOut | null
}

/** Everything that the legend shows of a bar. */
export interface LegendFigures extends LegendBars {
  /** The averaged bar (Heikin-Ashi) as drawn; null when the chart draws the traded prices. */
  readonly averaged: AveragedBar | null
  readonly readings: readonly IndicatorReading[]
}

/** The bars and indicators of which a summary of the chart is made. */
export interface ScreenFigures {
  /** The bars in view, oldest first. */
  readonly bars: readonly Bar[]
  /** The indicators at the newest bar, in view or not. */
  readonly readings: readonly IndicatorReading[]
  /** Whether the newest bar is in view. */
  readonly hasNewest: boolean
}

/** The bars of a candle chart by position on the axis, where each missing bar has an empty slot. */
export class ChartBars {
  readonly #marketType: MarketType
  readonly #stepMs: number
  #bars: readonly Bar[] = []
  #slots: Slot[] = []
  #times: number[] = []

  constructor(marketType: MarketType, stepMs: number) {
    this.#marketType = marketType
    this.#stepMs = stepMs
  }

  get slots(): readonly Slot[] {
    return this.#slots
  }

  /** The time of each slot, in milliseconds UTC. */
  get times(): readonly number[] {
    return this.#times
  }

  get count(): number {
    return this.#slots.length
  }

  set(bars: readonly Bar[]): void {
    this.#bars = bars
    this.#slots = withHoles(bars, this.#marketType, this.#stepMs)
    this.#times = this.#slots.map(({ time }) => time)
  }

  /** Updates the open bar, or adds the next one and returns true. `bar` is the last of `bars`. */
  update(bar: Bar, bars: readonly Bar[]): boolean {
    const isNext = bar.time > (this.#times.at(-1) ?? 0)
    this.#bars = bars
    if (!isNext) this.#slots.pop()
    else this.#times.push(bar.time)
    this.#slots.push({ time: bar.time, bar })
    return isNext
  }

  /** Returns the bars between two positions on the axis, which can lie outside the known bars. */
  between({ from, to }: VisibleRange): readonly Bar[] {
    const slots = this.#slots.slice(Math.max(0, Math.ceil(from)), Math.max(0, Math.floor(to) + 1))
    return slots.flatMap(({ bar }) => bar ?? [])
  }

  /** Returns the slot of a time, or -1. */
  indexOf(time: number): number {
    return indexOfTime(this.#times, time)
  }

  /**
   * Returns the bar that is `step` bars after the bar at `time`. For null, the count starts after the newest bar. The
   * result is limited to the known bars.
   */
  barAfter(time: number | null, step: number): Bar | null {
    const at = time === null ? -1 : this.#bars.findIndex((bar) => bar.time === time)
    const from = at === -1 ? this.#bars.length : at
    return this.#bars[Math.max(0, Math.min(this.#bars.length - 1, from + step))] ?? null
  }

  /** Returns what the legend shows for a slot; null for an empty one. `splits` are the first bars after each split. */
  legendAt(index: number, splits: ReadonlyMap<number, SplitOut>): LegendBars | null {
    const bar = this.#slots[index]?.bar ?? null
    if (bar === null) return null
    return { bar, previous: this.#slots[index - 1]?.bar ?? null, split: splits.get(index) ?? null }
  }
}

/** Returns the index of a time in ascending times, or -1. */
export function indexOfTime(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const there = times[middle] ?? 0
    if (there === time) return middle
    if (there < time) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Whether two summaries are about the same bars and indicators. The newest values of these can differ. */
export function isSameScreen(before: ScreenFigures | null, now: ScreenFigures): boolean {
  const keyOf = ({ bars, readings }: ScreenFigures) =>
    [bars[0]?.time, bars.at(-1)?.time, ...readings.map(({ name }) => name)].join(' ')
  return before !== null && keyOf(before) === keyOf(now)
}
