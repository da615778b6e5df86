import { indicatorOf, type IndicatorValues, warmUpOf } from '#core/indicators/create-indicator.ts'
import { type IndicatorSettings, INDICATORS, readIndicators } from '#core/indicators/indicator-settings.ts'
import type { Indicator } from '#core/indicators/rule.ts'
import { sessionStarts } from '#core/indicators/session-starts.ts'
import { secondsOf } from '#web/chart/chart-options.ts'
import { readingOf } from '#web/chart/indicator-reading.ts'
import { IndicatorSeries } from '#web/chart/indicator-series.ts'
import type { IndicatorOptions, IndicatorReading, Indicators } from '#web/chart/indicators.ts'
import type { Slot } from '#web/chart/with-holes.ts'

/** An indicator on the chart, with its values by the time of the bar. */
interface Drawn {
  readonly settings: IndicatorSettings
  readonly series: IndicatorSeries
  indicator: Indicator<IndicatorValues>
  values: Map<number, IndicatorValues>
}

const DAY_MS = 86_400_000
/** 6.5 hours: the regular session of the New York exchanges, from 9:30 to 16:00. */
const STOCK_SESSION_MS = 6.5 * 3_600_000

/** Computes and draws the indicators of a chart, over the bars and in panes below them. */
export class IndicatorLayer implements Indicators {
  readonly #options: IndicatorOptions
  readonly #sessionStart: (time: number) => number
  #drawn: readonly Drawn[] = []
  #slots: readonly Slot[] = []
  #lastTime = 0
  #hasOldest = false
  /** Indicators whose values of all bars have to be computed. */
  #due = new Set<Drawn>()
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(options: IndicatorOptions) {
    this.#options = options
    this.#sessionStart = sessionStarts(options.marketType)
  }

  get warmUpBars(): number {
    return Math.max(0, ...this.#drawn.map(({ settings }) => this.#warmUp(settings)))
  }

  choose(stored: readonly unknown[], maxPanes: number): boolean {
    let panes = 0
    const wanted = readIndicators(stored).filter(({ kind }) => INDICATORS[kind].place !== 'pane' || panes++ < maxPanes)
    const left = [...this.#drawn]
    const reused = wanted.map((settings) => {
      const at = left.findIndex((one) => isSame(one.settings, settings))
      return at === -1 ? null : (left.splice(at, 1)[0] ?? null)
    })
    for (const gone of left) {
      gone.series.remove()
      this.#due.delete(gone)
    }
    this.#drawn = wanted.map((settings, at) => reused[at] ?? this.#add(settings))
    this.#applyPaneHeights()
    this.#computeSoon()
    this.#options.onValues()
    return panes > maxPanes
  }

  set(slots: readonly Slot[], hasOldest: boolean): void {
    const [first, last] = [slots[0]?.time ?? 0, slots.at(-1)?.time ?? 0]
    const [before, after] = [this.#slots[0]?.time ?? Infinity, this.#slots.at(-1)?.time ?? -Infinity]
    this.#slots = slots
    this.#lastTime = last
    this.#hasOldest = hasOldest
    for (const drawn of this.#drawn) {
      // The library would keep empty positions on the time axis for bars that were dropped.
      if (before < first || after > last) drawn.series.clear()
      this.#due.add(drawn)
    }
    this.#computeSoon()
  }

  update(slots: readonly Slot[]): void {
    const [before, last] = slots.slice(-2)
    const isNext = last !== undefined && last.time > this.#lastTime
    this.#slots = slots
    this.#lastTime = last?.time ?? 0
    for (const drawn of this.#drawn) {
      if (this.#due.has(drawn) || !last?.bar) continue
      if (isNext && before?.bar) this.#keep(drawn, before, drawn.indicator.close(before.bar))
      this.#keep(drawn, last, drawn.indicator.peek(last.bar))
    }
  }

  applyColours(): void {
    for (const { series } of this.#drawn) series.applyColours(this.#options.colours())
  }

  readingsAt(time: number): readonly IndicatorReading[] {
    const { decimals } = this.#options
    return this.#drawn.map(({ settings, values }) => readingOf(settings, values.get(time) ?? null, decimals))
  }

  remove(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const { series } of this.#drawn) series.remove()
    this.#drawn = []
    this.#due.clear()
  }

  #add(settings: IndicatorSettings): Drawn {
    const { chart, decimals, colours } = this.#options
    const series = new IndicatorSeries({ chart, settings, decimals })
    series.applyColours(colours())
    const drawn = { settings, series, indicator: indicatorOf(settings, this.#sessionStart), values: new Map() }
    this.#due.add(drawn)
    return drawn
  }

  /** Computes one indicator per task, so that the page can respond between the tasks. */
  #computeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      const [next] = this.#due
      if (next === undefined) return
      this.#due.delete(next)
      this.#compute(next)
      if (this.#due.size > 0) this.#computeSoon()
      else this.#options.onValues()
    }, 0)
  }

  #compute(drawn: Drawn): void {
    const indicator = indicatorOf(drawn.settings, this.#sessionStart)
    const values = new Map<number, IndicatorValues>()
    // The first values depend on where the loaded bars begin, unless no older bars exist.
    let missing = this.#hasOldest ? 0 : this.#warmUp(drawn.settings)
    for (const [index, { time, bar }] of this.#slots.entries()) {
      if (bar === null) continue
      const value = index < this.#slots.length - 1 ? indicator.close(bar) : indicator.peek(bar)
      missing -= 1
      if (value !== null && missing < 0) values.set(time, value)
    }
    drawn.indicator = indicator
    drawn.values = values
    drawn.series.set(this.#slots.map(({ time }) => ({ time: secondsOf(time), values: values.get(time) ?? null })))
  }

  #keep(drawn: Drawn, { time }: Slot, values: IndicatorValues | null): void {
    if (values === null || (!this.#hasOldest && this.#slots.length <= this.#warmUp(drawn.settings))) return
    drawn.values.set(time, values)
    drawn.series.update({ time: secondsOf(time), values })
  }

  #warmUp(settings: IndicatorSettings): number {
    const { marketType, stepMs } = this.#options
    return warmUpOf(settings, Math.ceil((marketType === 'us_stocks' ? STOCK_SESSION_MS : DAY_MS) / stepMs))
  }

  #applyPaneHeights(): void {
    const own = this.#drawn.filter(({ settings }) => INDICATORS[settings.kind].place === 'pane')
    for (const { series } of own) series.applyHeight(own.length)
  }
}

function isSame(one: IndicatorSettings, other: IndicatorSettings): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
