import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { calls } from '#contract/calls.ts'
import type { CandleMeta, KlineRow } from '#contract/markets.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import { connectDatabase } from '#server/platform/database/connect.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { batchPages } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { SaidKline } from '#test/support/candle-audit.ts'
import { type LoggedPrice, readLog } from '#test/support/fold-log.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { type ServerProcess, shiftedClock, startServerProcess } from '#test/support/server-process.ts'

/** A database whose clock can be shifted. */
interface ShiftedDatabase {
  readonly url: string
  shiftClock(ms: number): void
}

/**
 * An installation on recorded prices. Its server starts and stops. At each start, the clocks of the server and of its
 * database are shifted by another amount.
 */
export class CandleSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fairwick-candles-'))
  readonly #database: ShiftedDatabase
  readonly #symbols: readonly MarketSymbol[]
  readonly #onKline: (kline: SaidKline) => void
  #server: ServerProcess | null = null
  #socket: WebSocket | null = null
  #shiftMs = 0

  constructor(database: ShiftedDatabase, symbols: readonly MarketSymbol[], onKline: (kline: SaidKline) => void) {
    this.#database = database
    this.#symbols = symbols
    this.#onKline = onKline
  }

  /** The server's current clock. */
  get now(): number {
    return Date.now() + this.#shiftMs
  }

  /** Starts the server with its clock at `at`. Resolves when it is ready. */
  async start(at: number): Promise<void> {
    this.#shiftMs = at - Date.now()
    // A server whose clock differs from that of its database accepts no prices.
    this.#database.shiftClock(this.#shiftMs)
    this.#server = await startServerProcess({
      FAIRWICK_DATA_DIR: this.#folder,
      FAIRWICK_FEEDS: 'replay',
      FAIRWICK_BOTS: 'off',
      FAIRWICK_CALLS_PER_ADDRESS: '100000',
      DATABASE_URL: this.#database.url,
      LOG_LEVEL: 'warn',
      ...shiftedClock(this.#shiftMs),
    })
    await this.#listen(this.#server.address)
  }

  async end(isKilled: boolean): Promise<void> {
    const server = this.#running
    if (isKilled) await server.kill()
    else if ((await server.stop()) !== 0) throw new Error(`the server did not stop cleanly:\n${server.output()}`)
    this.#socket?.terminate()
    this.#server = null
  }

  async show(symbol: MarketSymbol, interval: ChartInterval, limit: number) {
    const { data, meta } = await this.#call<{ data: KlineRow[]; meta: CandleMeta }>(
      'POST',
      calls.klineHistorical.path,
      { symbol: symbol.code, interval, limit },
    )
    return { rows: data, meta }
  }

  async dayVolume({ id }: MarketSymbol): Promise<number | null> {
    const { data } = await this.#call<{ data: { currencies: { id: number; volume: number | null }[] } }>(
      'GET',
      calls.currencyList.path,
    )
    return data.currencies.find((item) => item.id === id)?.volume ?? null
  }

  async readLog(): Promise<LoggedPrice[]> {
    return await this.#withDatabase(async (db) => {
      const log: LoggedPrice[] = []
      for await (const page of batchPages(db, 0)) for (const { payload } of page) log.push(...readLog(payload ?? ''))
      return log
    })
  }

  /** Counts the recorded gaps without prices, for the report. */
  async countHoles(): Promise<number> {
    return await this.#withDatabase(async (db) => {
      const { rows } = await sql<{ count: bigint }>`select count(*) as count from tick_hole`.execute(db)
      return Number(rows[0]?.count ?? 0)
    })
  }

  async remove(): Promise<void> {
    await this.#server?.kill()
    this.#socket?.terminate()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #running(): ServerProcess {
    if (this.#server === null) throw new Error('no server runs')
    return this.#server
  }

  async #listen(address: string): Promise<void> {
    const names = this.#symbols.flatMap(({ code }) =>
      CHART_INTERVALS.map((interval) => `${productOf(code)}@kline_${interval}`),
    )
    const socket = new WebSocket(`${address.replace('http', 'ws')}/stream?streams=${names.join('/')}`)
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => this.#hear(data.toString('utf8')))
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  }

  #hear(text: string): void {
    const { data } = JSON.parse(text) as { data: { e: string; s: string; k: Record<string, unknown> } }
    const symbol = this.#symbols.find(({ code }) => productOf(code) === data.s.toLowerCase())
    const { t, i, x, o, h, l, c, v } = data.k
    if (symbol === undefined || typeof i !== 'string' || !isChartInterval(i)) return
    const values = [o, h, l, c, v].map(Number)
    const isClosed = x === true
    this.#onKline({ by: this.#running, symbolId: symbol.id, interval: i, openTime: Number(t), isClosed, values })
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#running.address}/api${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }

  async #withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const database = await connectDatabase({ url: this.#database.url, dataDir: this.#folder, log: quiet, poolSize: 1 })
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }
}

/** Returns the stream name of a recorded crypto symbol. */
function productOf(code: string): string {
  return `${code.toLowerCase()}usdt`
}
