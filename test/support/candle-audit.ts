import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { priceNumber, volumeNumber } from '#core/money/price.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { foldLog, type LoggedPrice } from '#test/support/fold-log.ts'

/** The prices that the sources really had, known independently of any server. */
export interface WitnessedMarket {
  readonly symbols: readonly MarketSymbol[]
  /** Whether the server receives bars from the time when it was down. */
  readonly hasHistory: boolean
  /** Whether the bars are folded from exactly the market's prices. */
  readonly isExact: boolean
  /** Whether the history contains each minute as soon as it ends. */
  readonly knowsEveryMinute: boolean
  bar(symbol: MarketSymbol, interval: ChartInterval, openTime: number): Promise<Candle | null>
}

/** A candle (kline) that a server sent on a socket. */
export interface SaidKline {
  /** The server run that sent the kline. A run that starts after the clock was set back may close a bar again. */
  readonly by: object
  readonly symbolId: number
  readonly interval: ChartInterval
  readonly openTime: number
  readonly isClosed: boolean
  /** Open, high, low, close and volume. */
  readonly values: readonly number[]
}

/** The state that a server shows at an instant. */
export interface ShownMoment {
  /** The time of the server's clock. */
  readonly now: number
  /** When this run started, by the server's clock. */
  readonly startedAt: number
  readonly log: () => Promise<readonly LoggedPrice[]>
  readonly show: (
    symbol: MarketSymbol,
    interval: ChartInterval,
  ) => Promise<{ readonly rows: readonly KlineRow[]; readonly meta: CandleMeta }>
  /** The volume of the last 24 hours, in units of the symbol. Null without a price. */
  readonly dayVolume: (symbol: MarketSymbol) => Promise<number | null>
}

/** 3 s: prices of a bar that has just ended may not be in the log yet. */
const ON_THE_WAY_MS = 3_000
/** 60 s: a source publishes its bars with this delay after their end, and fetching them takes a while. */
const MAX_PUBLISH_DELAY_MS = 60_000
/** 125 s after a start, the history of every minute has arrived, and the open bars contain this history. */
const SETTLED_AFTER_MS = 125_000

/** Compares the candles that a server shows with candles folded here from the tick log, and with the true market. */
export class CandleAudit {
  readonly differences: string[] = []
  /** The number of compared closed candles. */
  compared = 0
  readonly #market: WitnessedMarket
  readonly #whole = new Map<string, string>()
  /** Bars that were shown as partial, or as bars of a source. */
  readonly #marked = new Set<string>()
  readonly #said = new Map<string, SaidKline>()

  constructor(market: WitnessedMarket) {
    this.#market = market
  }

  hear(kline: SaidKline): void {
    if (!kline.isClosed) return
    const key = `${kline.symbolId} ${kline.interval} ${kline.openTime}`
    const before = this.#said.get(key)
    if (before?.by === kline.by) this.#complain(key, 'was said as closed twice')
    else if (before !== undefined && before.values.join() !== kline.values.join())
      this.#complain(key, `was said as closed with ${before.values.join()} and with ${kline.values.join()}`)
    this.#said.set(key, kline)
  }

  async look(moment: ShownMoment): Promise<void> {
    for (const symbol of this.#market.symbols) {
      for (const interval of CHART_INTERVALS) await this.#lookAt(moment, symbol, interval)
      await this.#lookAtDay(moment, symbol)
    }
  }

  /**
   * Checks that closed klines of the sockets equal the fold of the complete log.
   * A marked bar contains what the server knew when the bar closed, and never more than the true market.
   */
  async finish(log: readonly LoggedPrice[]): Promise<void> {
    for (const symbol of this.#market.symbols) {
      const own = log.filter(({ symbolId }) => symbolId === symbol.id)
      const folds = new Map(CHART_INTERVALS.map((interval) => [interval, foldLog(own, interval)]))
      for (const [key, { symbolId, interval, openTime, values }] of this.#said) {
        if (symbolId !== symbol.id) continue
        this.compared += 1
        const fold = folds.get(interval)?.get(openTime)
        if (this.#marked.has(key)) {
          await this.#mustNotBeMore(key, values, symbol, interval, openTime)
          continue
        }
        const said = `[${values.join()}]`
        if (fold === undefined || said !== text(fold, symbol))
          this.#complain(key, `was said as ${said}, its ticks are ${fold && text(fold, symbol)}`)
        else await this.#mustBeWhole(key, fold, symbol, interval)
      }
    }
  }

  async #lookAt(
    { now, startedAt, log, show }: ShownMoment,
    symbol: MarketSymbol,
    interval: ChartInterval,
  ): Promise<void> {
    const length = intervalMs(interval)
    const foldNow = async () =>
      foldLog(
        (await log()).filter(({ symbolId }) => symbolId === symbol.id),
        interval,
      )
    // Two folds, because a price may be in the log before it is published, or may arrive during the wait.
    const folds = await foldNow()
    const { rows, meta } = await show(symbol, interval)
    const foldsAfter = await foldNow()
    const isClosed = (openTime: number) => openTime + length <= now - ON_THE_WAY_MS
    const partial = new Set(meta.partial)
    const times = rows.map(([openTime]) => openTime)
    for (const [at, [openTime, ...values]] of rows.entries()) {
      const key = `${symbol.id} ${interval} ${openTime}`
      if (openTime <= (times[at - 1] ?? 0) || openTime % length !== 0) this.#complain(key, 'is out of place')
      const truth = await this.#market.bar(symbol, interval, openTime)
      const isOfSource = meta.provider.some(([from, until]) => from <= openTime && openTime < until)
      if (isOfSource || partial.has(openTime)) this.#marked.add(key)
      if (!isClosed(openTime)) {
        await this.#mustNotBeMore(key, values, symbol, interval, openTime)
        continue
      }
      this.compared += 1
      const shown = `[${values.join()}]`
      if (isOfSource) {
        if (truth === null || text(truth, symbol) !== shown)
          this.#complain(key, `is ${shown} by a source, which has ${truth && text(truth, symbol)}`)
        continue
      }
      const fold = [folds, foldsAfter].map((all) => all.get(openTime)).find((one) => one && text(one, symbol) === shown)
      if (fold === undefined) {
        const own = folds.get(openTime)
        this.#complain(key, `is ${shown}, its ticks are ${own && text(own, symbol)}`)
      } else if (partial.has(openTime)) {
        const isKnown = openTime + length + MAX_PUBLISH_DELAY_MS < now && startedAt + MAX_PUBLISH_DELAY_MS < now
        if (this.#whole.has(key)) this.#complain(key, 'was whole and is marked now')
        else if (this.#market.hasHistory && truth !== null && (isKnown || this.#market.knowsEveryMinute))
          this.#complain(key, `stands partial though its source knows ${text(truth, symbol)}`)
      } else {
        await this.#mustBeWhole(key, fold, symbol, interval)
        const before = this.#whole.get(key)
        if (before !== undefined && before !== shown) this.#complain(key, `changed from ${before} to ${shown}`)
        this.#whole.set(key, shown)
      }
    }
    const first = times[0] ?? Number.POSITIVE_INFINITY
    const isShown = new Set(times)
    for (const openTime of folds.keys()) {
      if (openTime >= first && isClosed(openTime) && !isShown.has(openTime))
        this.#complain(`${symbol.id} ${interval} ${openTime}`, 'has ticks and is not shown')
    }
  }

  /**
   * Checks that a bar has no larger volume than in the true market, which would mean that a trade was counted twice.
   */
  async #mustNotBeMore(
    key: string,
    values: readonly number[],
    symbol: MarketSymbol,
    interval: ChartInterval,
    openTime: number,
  ): Promise<void> {
    const truth = this.#market.isExact ? await this.#market.bar(symbol, interval, openTime) : null
    if (truth !== null && (values[4] ?? 0) > volumeNumber(truth.volume))
      this.#complain(key, `has a volume of ${values[4]}, more than that of the whole bar ${text(truth, symbol)}`)
  }

  async #mustBeWhole(key: string, fold: Candle, symbol: MarketSymbol, interval: ChartInterval): Promise<void> {
    const truth = await this.#market.bar(symbol, interval, fold.openTime)
    const isWhole = this.#market.isExact
      ? truth !== null && text(truth, symbol) === text(fold, symbol)
      : // A simulated history is not made of ticks, so only its opening and closing prices must match.
        truth !== null && truth.open === fold.open && truth.close === fold.close
    if (!isWhole)
      this.#complain(key, `is not marked, and has only ${text(fold, symbol)} of ${truth && text(truth, symbol)}`)
  }

  /** Checks that the 24-hour volume contains each tick once. */
  async #lookAtDay({ now, startedAt, dayVolume }: ShownMoment, symbol: MarketSymbol): Promise<void> {
    const volume = await dayVolume(symbol)
    if (volume === null || !this.#market.hasHistory || !this.#market.isExact) return
    const length = intervalMs('5m')
    let closed = 0
    let running = 0
    for (let open = Math.floor((now - DAY_MS) / length) * length; open <= now; open += length) {
      const bar = (await this.#market.bar(symbol, '5m', open))?.volume ?? 0
      if (open + length <= now) closed += bar
      else running += bar
    }
    const key = `${symbol.id} day ${now}`
    const [minVolume, maxVolume] = [closed / 1_000_000, (closed + running) / 1_000_000]
    if (volume > maxVolume) this.#complain(key, `has a volume of ${volume}, there were ${maxVolume}`)
    if (this.#market.knowsEveryMinute && startedAt + SETTLED_AFTER_MS <= now && volume < minVolume)
      this.#complain(key, `has a volume of ${volume} of ${minVolume}`)
  }

  #complain(key: string, what: string): void {
    this.differences.push(`${key} (${new Date(Number(key.split(' ')[2])).toISOString()}) ${what}`)
  }
}

function text({ open, high, low, close, volume }: Candle, { decimals }: MarketSymbol): string {
  return `[${[open, high, low, close].map((price) => priceNumber(price, decimals)).join()},${volumeNumber(volume)}]`
}
