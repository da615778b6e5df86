import { isOpen } from '#core/markets/calendar/sessions.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { retry } from '#ui/retry.ts'
import { createStore } from '#ui/state/store.ts'
import { type BarDrawing, CANDLES } from '#web/chart/bar-drawing.ts'
import { type BarHistory, createBarHistory } from '#web/chart/bar-history.ts'
import type { BarWindow } from '#web/chart/bar-window.ts'
import type { Bar } from '#web/chart/bar.ts'
import { CandleChart } from '#web/chart/candle-chart.ts'
import { barOfMessage, loadPastBars } from '#web/chart/candle-data.ts'
import { isSameScreen, type LegendFigures } from '#web/chart/chart-bars.ts'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import { followPrice } from '#web/chart/follow-price.ts'
import { onColourChange } from '#web/chart/chart-colours.ts'
import { zoneWords } from '#web/chart/chart-words.ts'
import type { CreateIndicators } from '#web/chart/indicators.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { AT_START, type CandleOverlay, type CandleSeries, type ShownCandles } from '#web/chart/shown-candles.ts'
import type { ChartView } from '#web/chart/viewport.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { followCandles } from '#web/live/candle-feed.ts'
import { serverNow } from '#web/live/live-client.ts'
import { latestTick, onTick } from '#web/live/live-store.ts'
import { onReconnect } from '#web/live/on-reconnect.ts'
import type { ChartType } from '#core/charts/chart-type.ts'

/** A chart that runs in one element, with everything that must stop together with it. */
interface Run {
  readonly series: CandleSeries
  readonly chart: CandleChart
  readonly history: BarHistory
  readonly stops: readonly (() => void)[]
  /** Whether the code of the indicators has loaded. */
  hasIndicators: boolean
}

/** 15 s between summaries of the same bars: only their newest values differ. */
const SCREEN_MS = 15_000

/** Runs a candle chart with its history, live candles, older bars and orders, from `start` to `dispose`. */
export class CandleSession {
  readonly shown = createStore(AT_START)
  readonly legend = createStore<LegendFigures | null>(null)
  /** Returns what lies over the bars of the running chart; null while none runs. */
  readonly getLayers = (): ChartLayers | null => this.#run?.chart.layers ?? null
  #overlay: CandleOverlay
  #run: Run | null = null
  #newest: Bar | null = null
  /** The live bar that the next frame draws. */
  #waiting: Bar | null = null
  #lookedAt = 0
  /** Whether the newest bars failed to load. */
  #lacksBars = false
  /** Whether the code of the chosen type or of the indicators failed to load. */
  #lacksCode = false

  constructor(overlay: CandleOverlay) {
    this.#overlay = overlay
  }

  /** Runs the chart of a series in an element, until `dispose`. */
  start(element: HTMLElement, series: CandleSeries): void {
    const { code, productId, marketType, interval, decimals } = series
    const abort = new AbortController()
    const ifRunning =
      <A extends unknown[]>(act: (...args: A) => void) =>
      (...args: A): void => {
        if (!abort.signal.aborted) act(...args)
      }
    const history = createBarHistory({
      stepMs: intervalMs(interval),
      now: serverNow,
      load: (query) =>
        loadPastBars({ symbol: productId, marketType, interval, now: serverNow(), ...query }, abort.signal),
      onLoading: ifRunning((isLoadingOlder: boolean) => this.#show({ isLoadingOlder })),
      onChange: ifRunning((window: BarWindow, added: Bar | null) => this.#drawBars(window, added)),
    })
    const chart = new CandleChart(element, {
      marketType,
      interval,
      decimals,
      words: zoneWords(),
      splits: () => this.#overlay.splits,
      onNearStart: () => history.loadOlder(),
      onNearEnd: () => history.loadNewer(),
      onLegend: this.legend.set,
      onView: (view) => this.#showView(view),
      onFreeScale: (freeScale) => {
        if (freeScale !== this.shown.get().freeScale) this.#show({ freeScale })
      },
      onTrade: (id) => this.#overlay.onTrade(id),
    })
    const everySecond = setInterval(() => {
      this.#drawCountdown()
      this.#lookAtScreen()
    }, 1_000)
    this.#newest = null
    this.#waiting = null
    this.#run = {
      series,
      chart,
      history,
      hasIndicators: false,
      stops: [
        () => abort.abort(),
        followCandles({
          productId,
          interval,
          onResync: () => void this.#load(),
          onCandle: (candle) => this.#take(barOfMessage(candle)),
        }),
        onReconnect(() => this.#loadAgain()),
        onTick(code, () => this.#drawOrders()),
        onColourChange(() => chart.applyColours()),
        () => clearInterval(everySecond),
        () => chart.remove(),
      ],
    }
    this.#applyDesk()
    void this.#load()
  }

  /** Takes new orders, splits and handlers, and draws what changed. */
  update(overlay: CandleOverlay): void {
    const before = this.#overlay
    this.#overlay = overlay
    if (before.orders !== overlay.orders || before.trades !== overlay.trades) this.#drawOrders()
    if (before.splits !== overlay.splits) this.#run?.chart.drawSeams()
    if (before.loads !== overlay.loads) void this.#load()
    if (before.desk !== overlay.desk || before.maxPanes !== overlay.maxPanes) this.#applyDesk()
  }

  dispose(): void {
    const run = this.#run
    this.#run = null
    for (const stop of run?.stops ?? []) stop()
  }

  moveCrosshair(step: number): LegendFigures | null {
    return this.#run?.chart.moveCrosshair(step) ?? null
  }

  clearCrosshair(): void {
    this.#run?.chart.clearCrosshair()
  }

  fitPrices(): void {
    this.#run?.chart.fitPrices()
  }

  async toNewest(): Promise<void> {
    const run = this.#run
    try {
      await run?.history.returnToNewest()
    } catch {
      return
    }
    if (run !== null && run === this.#run) run.chart.toNewest()
  }

  /**
   * Shows the bars around a time. Returns false when loading fails; the view then stays. Returns true when the chart
   * has stopped.
   */
  async showTime(time: number): Promise<boolean> {
    const run = this.#run
    try {
      await run?.history.loadAround(time)
    } catch {
      return run !== this.#run
    }
    if (run !== null && run === this.#run) run.chart.showTime(time)
    return true
  }

  /** `attempt` runs the request, and can repeat it. */
  async #load(attempt: typeof retry<void> = (request) => request()): Promise<void> {
    const run = this.#run
    if (run === null) return
    try {
      await attempt(() => run.history.loadNewest())
      if (run !== this.#run) return
      this.#lacksBars = false
      this.#show({ state: 'ready' })
    } catch {
      if (run !== this.#run) return
      this.#lacksBars = true
      if (this.shown.get().state !== 'ready') this.#show({ state: 'failed' })
    }
  }

  /** Loads everything that failed to load. The first requests after a loss can still fail, so they are repeated. */
  #loadAgain(): void {
    this.#run?.history.retryFailed()
    if (this.#lacksBars) void this.#load(retry)
    if (this.#lacksCode) this.#applyDesk()
  }

  /**
   * Applies type, scale and indicators. Code for a type or an indicator that is not shown at first loads when the user
   * chooses it.
   */
  #applyDesk(): void {
    const run = this.#run
    if (run === null) return
    const { type, isLogarithmic, indicators } = this.#overlay.desk
    this.#lacksCode = false
    run.chart.setLogarithmic(isLogarithmic)
    if (type === 'candles') this.#draw(run, CANDLES)
    else void this.#loadType(run, type)
    if (indicators.length === 0 && !run.hasIndicators) return
    void this.#loadIndicators(run)
  }

  async #loadType(run: Run, type: ChartType): Promise<void> {
    const loaded = await this.#codeOf(
      Promise.all([retry(() => import('#web/chart/chart-types.ts')), loadTexts('more')]),
    )
    if (loaded === null || run !== this.#run || this.#overlay.desk.type !== type) return
    this.#draw(run, loaded[0].drawingOf(type))
  }

  #draw(run: Run, drawing: BarDrawing): void {
    run.chart.setDrawing(drawing)
    this.#show({ type: drawing.type })
  }

  async #loadIndicators(run: Run): Promise<void> {
    const code = retry(() => import('#web/chart/indicator-layer.ts'))
    const loaded = await this.#codeOf(Promise.all([code, loadTexts('more')]))
    if (loaded === null || run !== this.#run) return
    const { desk, maxPanes } = this.#overlay
    run.hasIndicators = true
    const create: CreateIndicators = (options) => new loaded[0].IndicatorLayer(options)
    this.#show({ hasHiddenPanes: run.chart.setIndicators(desk.indicators, maxPanes, create) })
  }

  /**
   * Resolves to the loaded code, or to null when loading fails. The chart then does not change until the connection is
   * back or the user chooses again.
   */
  async #codeOf<T>(loading: Promise<T>): Promise<T | null> {
    try {
      return await loading
    } catch {
      this.#lacksCode = true
      return null
    }
  }

  #show(change: Partial<ShownCandles>): void {
    this.shown.set({ ...this.shown.get(), ...change })
  }

  #showView(view: ChartView): void {
    const seen = this.shown.get().view
    if (seen.isAway !== view.isAway || seen.isBeforeStart !== view.isBeforeStart) this.#show({ view })
  }

  /** Keeps a live bar for the next frame. */
  #take(bar: Bar): void {
    // The close of a candle must be drawn before the first price of the next one within the same frame.
    if (this.#waiting !== null && this.#waiting.time < bar.time) this.#drawWaiting()
    if (this.#waiting === null) requestAnimationFrame(() => this.#drawWaiting())
    this.#waiting = bar
  }

  #drawWaiting(): void {
    const bar = this.#waiting
    this.#waiting = null
    if (bar !== null) this.#run?.history.take(bar)
  }

  #drawBars({ bars, hasNewest, hasOldest }: BarWindow, added: Bar | null): void {
    const chart = this.#run?.chart
    const isNext = added !== null && added.time !== this.#newest?.time
    if (hasNewest) this.#newest = bars.at(-1) ?? null
    if (added === null) chart?.setBars(bars, hasOldest)
    else chart?.updateBar(added, bars)
    if (added !== null && !isNext) return
    this.#show({ hasOldest, ...(hasNewest && { hasBars: bars.length > 0 }) })
    this.#drawOrders()
  }

  #drawOrders(): void {
    if (this.#run === null) return
    const { chart, series } = this.#run
    const { orders, trades } = this.#overlay
    chart.setOrders(
      orders.map((order) => followPrice(order, series.code)),
      this.#lastPrice(series.code),
    )
    chart.setTrades(trades)
    this.#drawCountdown()
  }

  #drawCountdown(): void {
    if (this.#run === null) return
    const { interval, marketType } = this.#run.series
    const now = serverNow()
    const leftMs = this.#newest === null ? 0 : this.#newest.time + intervalMs(interval) - now
    const isCounting = leftMs > 0 && isOpen(marketType, instant(Math.round(now)))
    this.#run.chart.setCountdown(isCounting ? leftMs : null)
  }

  #lookAtScreen(): void {
    if (this.#run === null) return
    const { screen } = this.#run.chart
    if (isSameScreen(this.shown.get().screen, screen) && serverNow() - this.#lookedAt < SCREEN_MS) return
    this.#lookedAt = serverNow()
    this.#show({ screen })
  }

  /** A closed market sends no prices, so the last candle of the market provides the last price. */
  #lastPrice(code: string): TickPoint | null {
    const newest = this.#newest
    return latestTick(code) ?? (newest && { time: newest.time, price: newest.close })
  }
}
