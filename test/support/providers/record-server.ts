import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { instant, toIso } from '#core/time/instant.ts'

export interface ScriptedTrade {
  readonly ref: number
  readonly price: string
  readonly volume?: string
  readonly timeMs: number
  /** The provider has lost the trade: Binance writes a row without numbers, Coinbase leaves the number out. */
  readonly isLost?: boolean
}

/** How the server replies: as documented, not at all, with an error, or with half of a page. */
export type RecordMood = 'well' | 'cut' | 'failing' | 'too-often' | 'garbage' | 'half'

/**
 * Serves scripted trades as the documented REST calls of Binance (`aggTrades`) and Coinbase Exchange (`trades`). A
 * trade appears there `delayMs` after it was made.
 */
export class RecordServer {
  mood: RecordMood = 'well'
  delayMs = 0
  /** The paths of all calls, in order. */
  readonly calls: string[] = []
  readonly #http: Server
  readonly #wires = new Set<Socket>()
  readonly #now: () => number
  readonly #trades = new Map<string, ScriptedTrade[]>()

  private constructor(now: () => number) {
    this.#now = now
    this.#http = createServer(({ url = '/' }, response) => this.#reply(new URL(url, 'http://localhost'), response))
    this.#http.on('connection', (wire) => {
      this.#wires.add(wire)
      wire.on('close', () => this.#wires.delete(wire))
    })
  }

  /** Starts a server. `now` is the provider's clock; by default, every scripted trade already exists. */
  static async start(now: () => number = () => Number.POSITIVE_INFINITY): Promise<RecordServer> {
    const server = new RecordServer(now)
    await new Promise<void>((resolve) => {
      server.#http.listen(0, '127.0.0.1', resolve)
    })
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  /** Sets all trades of a provider's symbol, ascending by number. */
  script(symbol: string, trades: readonly ScriptedTrade[]): void {
    this.#trades.set(symbol, [...trades])
  }

  async stop(): Promise<void> {
    for (const wire of this.#wires) wire.destroy()
    await new Promise((resolve) => {
      this.#http.close(resolve)
    })
  }

  #reply({ pathname, search, searchParams }: URL, response: ServerResponse): void {
    this.calls.push(`${pathname}${search}`)
    const say = (status: number, body: string): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    const query = (name: string): number | null => (searchParams.has(name) ? Number(searchParams.get(name)) : null)
    const product = /^\/products\/([^/]+)\/trades$/.exec(pathname)?.[1]
    const rows =
      product === undefined
        ? aggregates(this.#known(searchParams.get('symbol') ?? ''), query)
        : coinbasePage(this.#known(decodeURIComponent(product)), query)
    switch (this.mood) {
      case 'cut':
        return void response.destroy()
      case 'failing':
        return say(503, '<html>upstream</html>')
      case 'too-often':
        return say(429, '{"code":-1003,"msg":"Too many requests."}')
      case 'garbage':
        return say(200, '<html>hello</html>')
      case 'half':
        return say(
          200,
          JSON.stringify(rows.map((row, at) => (at === rows.length >> 1 ? { ...row, p: 'x', price: '-' } : row))),
        )
      default:
        return say(200, JSON.stringify(rows))
    }
  }

  #known(symbol: string): readonly ScriptedTrade[] {
    const trades = this.#trades.get(symbol) ?? []
    const later = trades.findIndex(({ timeMs }) => timeMs + this.delayMs > this.#now())
    return later === -1 ? trades : trades.slice(0, later)
  }
}

type Query = (name: string) => number | null

function coinbasePage(trades: readonly ScriptedTrade[], query: Query): object[] {
  const before = query('after') ?? Number.POSITIVE_INFINITY
  return trades
    .filter(({ ref, isLost }) => ref < before && isLost !== true)
    .toReversed()
    .slice(0, query('limit') ?? 1_000)
    .map(({ ref, price, volume = '1.00000000', timeMs }) => ({
      trade_id: ref,
      side: 'sell',
      size: volume,
      price,
      time: toIso(instant(timeMs)).replace('Z', '000Z'),
    }))
}

/**
 * Rows of `aggTrades`: consecutive trades of one price and time. The number of a row is its index in the list of all
 * rows.
 */
export function aggregates(trades: readonly ScriptedTrade[], query: Query): object[] {
  const groups: ScriptedTrade[][] = []
  for (const trade of trades) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const isSame =
      last?.price === trade.price &&
      last.timeMs === trade.timeMs &&
      last.ref + 1 === trade.ref &&
      !last.isLost &&
      !trade.isLost
    if (group !== undefined && isSame) group.push(trade)
    else groups.push([trade])
  }
  const [limit, startTime, fromId] = [query('limit') ?? 500, query('startTime'), query('fromId')]
  const first = firstRow(groups, { startTime, fromId, limit })
  return groups.slice(first, first + limit).map((group, at) => rowOf(group, first + at))
}

function firstRow(
  groups: readonly (readonly ScriptedTrade[])[],
  { startTime, fromId, limit }: { startTime: number | null; fromId: number | null; limit: number },
): number {
  if (fromId !== null) return fromId
  if (startTime === null) return Math.max(0, groups.length - limit)
  const found = groups.findIndex(([trade]) => (trade?.timeMs ?? 0) >= startTime)
  return found === -1 ? groups.length : found
}

function rowOf(
  group: readonly ScriptedTrade[],
  a: number,
): { readonly a: number; readonly T: number; readonly m: boolean; readonly M: boolean } {
  const [first] = group
  const last = group.at(-1)
  if (first === undefined || last === undefined) throw new Error('a row has a trade')
  const { price, volume = '1.00000000', timeMs, isLost } = first
  const own = isLost === true ? { p: '0', q: '0', f: -1, l: -1 } : { p: price, q: volume, f: first.ref, l: last.ref }
  return { a, ...own, T: timeMs, m: true, M: true }
}
