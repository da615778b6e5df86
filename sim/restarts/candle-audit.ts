import type { Candle } from '#core/markets/candle.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import { exchangePrice, exchangeVolume } from '#server/live/stream-messages.ts'
import { toKlines } from '#server/markets/kline-rows.ts'
import type { TickService } from '#server/ticks/create-ticks.ts'
import { foldLog, type LoggedPrice } from './fold-log.ts'
import type { RestartMarket } from './restart-feeds.ts'
import type { SaidKline } from './restart-run.ts'

const BARS = 300
/** Prices of a bar that has just ended may still be on their way to the log. */
const ON_THE_WAY_MS = 3_000
/** A source tells its bars this long after they ended, and it takes a while to ask. */
const TOLD_AFTER_MS = 60_000
/** So long after a start the running bars hold all that a history of the whole past knows. */
const SETTLED_AFTER_MS = 125_000

export interface AuditedMoment {
  readonly ticks: TickService
  /** The server's clock. */
  readonly now: number
  /** When this run began by that clock. */
  readonly startedAt: number
  readonly log: () => readonly LoggedPrice[]
}

/** Compares what a server shows with the log, folded here, and with the market as it was. */
export class CandleAudit {
  readonly differences: string[] = []
  compared = 0
  readonly #market: RestartMarket
  readonly #knowsRunningBars: boolean
  readonly #whole = new Map<string, string>()
  readonly #said = new Map<string, SaidKline>()

  constructor(market: RestartMarket, knowsRunningBars: boolean) {
    this.#market = market
    this.#knowsRunningBars = knowsRunningBars
  }

  hear(kline: SaidKline): void {
    if (!kline.isClosed) return
    const key = `${kline.symbolId} ${kline.interval} ${kline.openTime}`
    if (this.#said.has(key)) this.#complain(key, 'was said as closed twice')
    this.#said.set(key, kline)
  }

  async look(moment: AuditedMoment): Promise<void> {
    for (const symbol of this.#market.symbols) {
      for (const interval of CHART_INTERVALS) await this.#lookAt(moment, symbol, interval)
      await this.#lookAtDay(moment, symbol)
    }
  }

  /** What sockets said as closed is what the log has in the end, and whole. */
  async finish(log: readonly LoggedPrice[]): Promise<void> {
    for (const symbol of this.#market.symbols) {
      const own = log.filter(({ symbolId }) => symbolId === symbol.id)
      const folds = new Map(CHART_INTERVALS.map((interval) => [interval, foldLog(own, interval)]))
      for (const [key, { symbolId, interval, openTime, values }] of this.#said) {
        if (symbolId !== symbol.id) continue
        this.compared += 1
        const fold = folds.get(interval)?.get(openTime)
        if (fold === undefined) {
          this.#complain(key, 'was said as closed without a tick')
          continue
        }
        const { open, high, low, close, volume } = fold
        const expected = [open, high, low, close].map((price) => exchangePrice(price, { decimals: symbol.decimals }))
        if (values.join() !== [...expected, exchangeVolume(volume)].join())
          this.#complain(key, `was said as ${values.join()}, its ticks are ${text(fold)}`)
        const truth = await this.#market.bar(symbol, interval, openTime)
        if (!this.#isAllOf(fold, truth))
          this.#complain(key, `was said as closed and whole, and is not: ${text(fold)} of ${truth && text(truth)}`)
      }
    }
  }

  async #lookAt(
    { ticks, now, startedAt, log }: AuditedMoment,
    symbol: MarketSymbol,
    interval: ChartInterval,
  ): Promise<void> {
    const length = intervalMs(interval)
    const foldNow = () =>
      foldLog(
        log().filter(({ symbolId }) => symbolId === symbol.id),
        interval,
      )
    // A price may be in the log and not be passed on yet, or have come while we waited.
    const folds = foldNow()
    const shown = await ticks.shownCandles({ symbolId: symbol.id, interval, limit: BARS })
    const foldsAfter = foldNow()
    const { rows, meta } = toKlines(shown, interval, symbol.decimals)
    const partial = new Set(meta.partial)
    const times = new Set<number>()
    let last = Number.NEGATIVE_INFINITY
    for (const [at, { candle, source }] of shown.entries()) {
      const { openTime } = candle
      const key = `${symbol.id} ${interval} ${openTime}`
      if (openTime <= last || openTime % length !== 0) this.#complain(key, 'is out of place')
      last = openTime
      times.add(openTime)
      const truth = await this.#market.bar(symbol, interval, openTime)
      if (openTime + length > now - ON_THE_WAY_MS) {
        // Still open: nothing is counted twice.
        if (this.#market.isExact && truth !== null && candle.volume > truth.volume)
          this.#complain(key, `runs with a volume of ${candle.volume}, more than the ${truth.volume} of the whole bar`)
        continue
      }
      this.compared += 1
      const [time, ...numbers] = rows[at] ?? []
      if (time !== openTime || numbers.some((number) => typeof number !== 'number'))
        this.#complain(key, 'has a bad row')
      const fold =
        [folds, foldsAfter].map((all) => all.get(openTime)).find((one) => one && text(one) === text(candle)) ??
        folds.get(openTime)
      if (source !== null) {
        if (truth === null || text(truth) !== text(candle))
          this.#complain(key, `is ${text(candle)} by ${source}, which has ${truth && text(truth)}`)
        continue
      }
      if (fold === undefined || text(fold) !== text(candle)) {
        this.#complain(key, `is ${text(candle)}, its ticks are ${fold && text(fold)}`)
        continue
      }
      const isWhole = this.#isAllOf(fold, truth)
      if (!partial.has(openTime)) {
        if (!isWhole) this.#complain(key, `is not marked, and has only ${text(fold)} of ${truth && text(truth)}`)
        const before = this.#whole.get(key)
        if (before !== undefined && before !== text(candle))
          this.#complain(key, `changed from ${before} to ${text(candle)}`)
        this.#whole.set(key, text(candle))
      } else if (this.#whole.has(key)) this.#complain(key, 'was whole and is marked now')
      else if (
        this.#market.hasHistory &&
        truth !== null &&
        openTime + length + TOLD_AFTER_MS < now &&
        startedAt + TOLD_AFTER_MS < now
      )
        this.#complain(key, `stands partial though its source knows ${text(truth)}`)
    }
    const first = shown[0]?.candle.openTime ?? Number.POSITIVE_INFINITY
    for (const openTime of folds.keys()) {
      if (openTime >= first && openTime + length <= now - ON_THE_WAY_MS && !times.has(openTime))
        this.#complain(`${symbol.id} ${interval} ${openTime}`, 'has ticks and is not shown')
    }
  }

  /** Each tick is in the volume of the day once. */
  async #lookAtDay({ ticks, now, startedAt }: AuditedMoment, symbol: MarketSymbol): Promise<void> {
    const day = ticks.day(symbol.id)
    if (day === null || !this.#market.hasHistory || !this.#market.isExact) return
    const length = intervalMs('5m')
    let whole = 0
    for (let open = Math.floor((now - DAY_MS) / length) * length; open <= now; open += length)
      whole += (await this.#market.bar(symbol, '5m', open))?.volume ?? 0
    if (day.volume > whole)
      this.#complain(`${symbol.id} day ${now}`, `has a volume of ${day.volume}, there were ${whole}`)
    if (!this.#knowsRunningBars || startedAt + SETTLED_AFTER_MS > now) return
    const running = instant(Math.floor(now / length) * length)
    const rest = (await this.#market.bar(symbol, '5m', running))?.volume ?? 0
    if (day.volume < whole - rest)
      this.#complain(`${symbol.id} day ${now}`, `has a volume of ${day.volume} of ${whole}`)
  }

  /** The simulated past is not made of ticks: its bars begin and end with theirs. */
  #isAllOf(fold: Candle, truth: Candle | null): boolean {
    if (truth === null) return false
    if (this.#market.isExact) return text(fold) === text(truth)
    return fold.open === truth.open && fold.close === truth.close
  }

  #complain(key: string, what: string): void {
    this.differences.push(`${key} (${new Date(Number(key.split(' ')[2])).toISOString()}) ${what}`)
  }
}

function text({ open, high, low, close, volume }: Candle): string {
  return `[${open},${high},${low},${close},${volume}]`
}
