// A process that imitates Binance's spot streams: trades of many symbols at a steady rate, each with its send time. The
// parent sets the number of symbols, starts and stops it, and gets a report of what was sent.
import { createHash, type Hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface SpeakerReport {
  readonly symbol: string
  readonly count: number
  /** A hash over time and price of each trade, in order. */
  readonly digest: string
}
export type ToSpeaker = { readonly begin: { readonly symbols: readonly string[]; readonly perSecond: number } } | 'stop'
export type FromSpeaker =
  | { readonly port: number }
  | { readonly subscriptionCount: number }
  | { readonly reports: readonly SpeakerReport[] }

const STEP_MS = 5
const FIRST_ID = 4_000_000_000
/** Prices have four decimals and move by up to three units of the last decimal. */
const DECIMALS = 4
const MAX_STEPS = 3

interface Spoken {
  readonly symbol: string
  readonly hash: Hash
  units: number
  count: number
}

const clients = new Set<WebSocket>()
const subscriptions = new Set<string>()
let spoken: Spoken[] = []
let timer: NodeJS.Timeout | undefined
let beats: NodeJS.Timeout | undefined

const http = createServer((request, response) => {
  const symbol = /symbol=(\w+)/.exec(request.url ?? '')?.[1] ?? ''
  const body = request.url?.includes('exchangeInfo') ? `{"symbols":[{"symbol":"${symbol}","status":"TRADING"}]}` : '[]'
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
})
new WebSocketServer({ server: http, perMessageDeflate: false }).on('connection', (socket) => {
  clients.add(socket)
  socket.on('close', () => clients.delete(socket))
  socket.on('message', (data: Buffer) => {
    const { method, params = [], id } = JSON.parse(data.toString()) as { method: string; params?: string[]; id: number }
    if (method === 'SUBSCRIBE') for (const stream of params) subscriptions.add(stream)
    socket.send(JSON.stringify({ result: null, id }))
    tell({ subscriptionCount: [...subscriptions].filter((stream) => stream.endsWith('@trade')).length })
  })
})
http.listen(0, '127.0.0.1', () => tell({ port: (http.address() as AddressInfo).port }))

process.on('message', (message: ToSpeaker) => {
  if (message === 'stop') stop()
  else begin(message.begin.symbols, message.begin.perSecond)
})

process.on('disconnect', () => process.exit(0))

function begin(symbols: readonly string[], perSecond: number): void {
  spoken = symbols.map((symbol, nth) => ({
    symbol,
    hash: createHash('sha256'),
    units: 1_000_000 + nth * 10_000,
    count: 0,
  }))
  const startedAt = performance.now()
  let said = 0
  timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond * spoken.length)
    for (; said < due; said += 1) {
      const one = spoken[said % spoken.length]
      if (one) trade(one)
    }
  }, STEP_MS)
  beats = setInterval(() => spoken.forEach(ticker), 1_000)
}

function stop(): void {
  clearInterval(timer)
  clearInterval(beats)
  tell({ reports: spoken.map(({ symbol, count, hash }) => ({ symbol, count, digest: hash.digest('hex') })) })
}

function trade(one: Spoken): void {
  one.count += 1
  one.units += ((one.count * 7_919 + one.units) % (2 * MAX_STEPS + 1)) - MAX_STEPS
  const now = Date.now()
  one.hash.update(`${now} ${one.units}\n`)
  const price = `${decimal(one.units)}0000`
  const { symbol } = one
  const data = `{"e":"trade","E":${now},"s":"${symbol}","t":${FIRST_ID + one.count},"p":"${price}","q":"0.02000000","T":${now},"m":true,"M":true}`
  say(`{"stream":"${symbol.toLowerCase()}@trade","data":${data}}`)
}

/** Sends the id of the last trade once per second. */
function ticker({ symbol, units, count }: Spoken): void {
  const now = Date.now()
  const price = decimal(units)
  const data = {
    e: '24hrTicker',
    E: now,
    s: symbol,
    p: '0',
    P: '0',
    w: price,
    x: price,
    c: price,
    Q: '1',
    b: price,
    B: '1',
    a: price,
    A: '1',
    o: price,
    h: price,
    l: price,
    v: '1',
    q: '1',
    O: now - 86_400_000,
    C: now,
    F: FIRST_ID,
    L: FIRST_ID + count,
    n: count,
  }
  say(JSON.stringify({ stream: `${symbol.toLowerCase()}@ticker`, data }))
}

function say(text: string): void {
  for (const client of clients) client.send(text)
}

function decimal(units: number): string {
  const digits = String(units).padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}

function tell(message: FromSpeaker): void {
  process.send?.(message)
}
