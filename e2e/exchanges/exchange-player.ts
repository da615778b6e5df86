import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { later, type RecordedMessage, RecordedTrades, readBinance, readFinnhub } from './recorded-trades.ts'

const BTC = 'binance-spot-btcusdt-trade-20240808.jsonl.gz'
const AAPL = 'finnhub-trade-aapl-20230331.jsonl'
/** The recording of Apple's trades is short, so it starts again every 4 s. */
const AAPL_AGAIN_MS = 4_000
const AAPL_ROUNDS = 100
const STEP_MS = 20
/** Simulated network delay of a message. */
const TRANSIT_MS = 30

interface Speech {
  readonly atMs: number
  readonly text: string
}

/**
 * Imitates Binance and Finnhub with two local servers, which answer the requests of clients. After `play` the servers
 * send the recorded messages at the original pace, with their times shifted to the present.
 */
export class ExchangePlayer {
  readonly #binance: Exchange
  readonly #finnhub: Exchange
  readonly #now: () => number
  readonly #recordings = { btc: readBinance(BTC), aapl: readFinnhub(AAPL) }
  readonly #timers: NodeJS.Timeout[] = []

  private constructor(binance: Exchange, finnhub: Exchange, now: () => number) {
    this.#binance = binance
    this.#finnhub = finnhub
    this.#now = now
  }

  static async start(now: () => number): Promise<ExchangePlayer> {
    return new ExchangePlayer(
      await Exchange.open(hearBinance, answerBinance),
      await Exchange.open(hearFinnhub, answerFinnhub),
      now,
    )
  }

  /** Returns the configuration of price feeds that connect to these servers. */
  get feeds(): object {
    return {
      providers: {
        binance: { kind: 'binance', url: this.#binance.url, restUrl: this.#binance.restUrl },
        finnhub: { kind: 'finnhub', url: this.#finnhub.url, restUrl: this.#finnhub.restUrl, keyFrom: 'FINNHUB_KEY' },
      },
      symbols: [
        { code: 'BTC', tickSize: '0.01', sources: [{ provider: 'binance', symbol: 'BTCUSDT' }] },
        { code: 'AAPL', tickSize: '0.0001', sources: [{ provider: 'finnhub', symbol: 'AAPL' }] },
      ],
    }
  }

  /**
   * Returns the source names that the app shows beside the prices: `own:` and the host, because these servers are not
   * at their provider's address.
   */
  get sources(): { readonly btc: string; readonly aapl: string } {
    return { btc: `own:${new URL(this.#binance.url).host}`, aapl: `own:${new URL(this.#finnhub.url).host}` }
  }

  /** Whether a client has subscribed to both streams. */
  get isSubscribed(): boolean {
    return this.#binance.subscriptions.has('btcusdt@trade') && this.#finnhub.subscriptions.has('AAPL')
  }

  /** Starts the playback. Returns the trades that will be sent, shifted to the present. */
  play(): { btc: RecordedTrades; aapl: RecordedTrades } {
    const begin = this.#now() + 500
    const { btc, aapl } = this.#recordings
    const btcOffset = begin - timeOf(btc[0])
    const aaplOffset = begin - timeOf(aapl[0])
    const offsets = Array.from({ length: AAPL_ROUNDS }, (_, round) => aaplOffset + round * AAPL_AGAIN_MS)
    this.#speak(
      this.#binance,
      btc.map((message) => spoken(message, btcOffset)),
    )
    this.#speak(
      this.#finnhub,
      offsets.flatMap((offset) => aapl.map((message) => spoken(message, offset))),
    )
    this.#beat(btc, btcOffset)
    const rounds = offsets.flatMap((offset) =>
      aapl.flatMap(({ trades }) => trades.map((trade) => ({ ...trade, timeMs: trade.timeMs + offset }))),
    )
    return {
      btc: new RecordedTrades(
        btc.flatMap(({ trades }) => trades),
        btcOffset,
      ),
      aapl: new RecordedTrades(rounds, 0),
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#binance.close()
    await this.#finnhub.close()
  }

  #speak(exchange: Exchange, speeches: readonly Speech[]): void {
    let next = 0
    this.#timers.push(
      setInterval(() => {
        for (let due = speeches[next]; due !== undefined && due.atMs <= this.#now(); due = speeches[next]) {
          exchange.say(due.text)
          next += 1
        }
      }, STEP_MS),
    )
  }

  /**
   * Sends a Binance ticker every second. The ticker names the last trade, so that clients can detect missing trades.
   */
  #beat(btc: readonly RecordedMessage[], offsetMs: number): void {
    this.#timers.push(
      setInterval(() => {
        const now = this.#now()
        const last = btc.findLast(({ timeMs }) => timeMs + offsetMs + TRANSIT_MS <= now)
        if (last !== undefined) this.#binance.say(ticker(last, now - TRANSIT_MS))
      }, 1_000),
    )
  }
}

/** The local server of one imitated exchange: a socket and HTTP calls on one port. */
class Exchange {
  readonly subscriptions = new Set<string>()
  readonly #http: Server
  readonly #clients = new Set<WebSocket>()

  private constructor(http: Server) {
    this.#http = http
  }

  static async open(
    hear: (text: string, subscriptions: Set<string>) => string | null,
    answer: (path: string) => string,
  ): Promise<Exchange> {
    const http = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer(request.url ?? '/'))
    })
    const exchange = new Exchange(http)
    new WebSocketServer({ server: http, perMessageDeflate: false }).on('connection', (socket) => {
      exchange.#clients.add(socket)
      socket.on('close', () => exchange.#clients.delete(socket))
      socket.on('message', (data: Buffer) => {
        const reply = hear(data.toString(), exchange.subscriptions)
        if (reply !== null) socket.send(reply)
      })
    })
    await new Promise<void>((resolve) => {
      http.listen(0, '127.0.0.1', resolve)
    })
    return exchange
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  get restUrl(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  say(text: string): void {
    for (const client of this.#clients) client.send(text)
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.terminate()
    await new Promise((resolve) => {
      this.#http.close(resolve)
    })
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port
  }
}

function hearBinance(text: string, subscriptions: Set<string>): string | null {
  const { method, params, id } = JSON.parse(text) as { method: string; params?: string[]; id: number }
  if (method === 'SUBSCRIBE') for (const stream of params ?? []) subscriptions.add(stream)
  return JSON.stringify({ result: method === 'LIST_SUBSCRIPTIONS' ? [...subscriptions] : null, id })
}

function hearFinnhub(text: string, subscriptions: Set<string>): string | null {
  const { type, symbol } = JSON.parse(text) as { type: string; symbol?: string }
  if (type === 'subscribe' && symbol !== undefined) subscriptions.add(symbol)
  return null
}

/** Answers an HTTP request. Requests for earlier data get an empty list, because the recording has no earlier data. */
function answerBinance(path: string): string {
  return path.startsWith('/api/v3/exchangeInfo') ? '{"symbols":[{"symbol":"BTCUSDT","status":"TRADING"}]}' : '[]'
}

function answerFinnhub(): string {
  return '{"s":"no_data"}'
}

function spoken({ text, timeMs }: RecordedMessage, offsetMs: number): Speech {
  return { atMs: timeMs + offsetMs + TRANSIT_MS, text: later(text, offsetMs) }
}

/** Builds a ticker in the format of the recorded ones. Only the fields that a client of trades needs are realistic. */
function ticker({ text, trades }: RecordedMessage, atMs: number): string {
  const { t: id } = (JSON.parse(text) as { data: { t: number } }).data
  const price = trades.at(-1)?.price
  const size = '0.01000000'
  return JSON.stringify({
    stream: 'btcusdt@ticker',
    data: {
      e: '24hrTicker',
      E: atMs,
      s: 'BTCUSDT',
      p: '-10.00000000',
      P: '-0.010',
      w: price,
      x: price,
      c: price,
      Q: size,
      b: price,
      B: size,
      a: price,
      A: size,
      o: price,
      h: price,
      l: price,
      v: size,
      q: size,
      O: atMs - 86_400_000,
      C: atMs,
      F: id - 1_000,
      L: id,
      n: 1_001,
    },
  })
}

function timeOf(message: RecordedMessage | undefined): number {
  return message?.trades[0]?.timeMs ?? Number.NaN
}
