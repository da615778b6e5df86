import { setInterval } from 'node:timers'
import { binanceWire } from '#test/support/providers/binance-wire.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import type { ScriptedTrade } from '#test/support/providers/record-server.ts'

const SYMBOL = 'BTCUSDT'
const EVERY_MS = 100
const TICKER_EVERY_MS = 1_000
const FIRST_REF = 1_000
const START_CENTS = 6_000_000

/**
 * A simulated market in real time, with a price stream and a public record of trades. It runs independently of its
 * clients.
 */
export class LiveMarket {
  readonly server: ProviderServer
  readonly trades: ScriptedTrade[]
  readonly #timers: readonly NodeJS.Timeout[]

  private constructor(server: ProviderServer, trades: ScriptedTrade[]) {
    this.server = server
    this.trades = trades
    this.#timers = [setInterval(() => this.#trade(), EVERY_MS), setInterval(() => this.#tell(), TICKER_EVERY_MS)]
  }

  static async start(): Promise<LiveMarket> {
    const trades: ScriptedTrade[] = []
    const world = { symbols: new Set([SYMBOL]), trades: () => trades }
    return new LiveMarket(await ProviderServer.start(binanceWire(world)), trades)
  }

  /** The value of FAIRWICK_FEEDS for a site whose prices come from this market. */
  get feeds(): string {
    const provider = { kind: 'binance', url: this.server.url, restUrl: this.server.restUrl }
    return JSON.stringify({
      providers: { market: provider },
      symbols: [{ code: 'BTC', sources: [{ provider: 'market', symbol: SYMBOL }] }],
    })
  }

  /** Cuts the network between the site and this provider. */
  cut(): void {
    this.server.door = 'hang'
    this.server.rest = 'hang'
    this.server.drop('rudely')
  }

  /** Restores the network after `cut`. */
  join(): void {
    this.server.door = 'open'
    this.server.rest = 'well'
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.server.stop()
  }

  #trade(): void {
    const timeMs = Date.now()
    const ref = FIRST_REF + this.trades.length
    const step = ((ref * 7_919) % 201) - 100
    const cents = START_CENTS + step * 10
    const trade = { ref, price: (cents / 100).toFixed(8), volume: '0.01000000', timeMs }
    this.trades.push(trade)
    const data = {
      e: 'trade',
      E: timeMs,
      s: SYMBOL,
      t: ref,
      p: trade.price,
      q: trade.volume,
      T: timeMs,
      m: false,
      M: true,
    }
    this.server.say(JSON.stringify({ stream: `${SYMBOL.toLowerCase()}@trade`, data }))
  }

  #tell(): void {
    const last = this.trades.at(-1)
    if (last === undefined) return
    const now = Date.now()
    const day = { e: '24hrTicker', E: now, s: SYMBOL, c: last.price, Q: last.volume, O: now - 86_400_000, C: now }
    const data = { ...day, F: FIRST_REF, L: last.ref, n: this.trades.length }
    this.server.say(JSON.stringify({ stream: `${SYMBOL.toLowerCase()}@ticker`, data }))
  }
}
