import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { MAX_STREAMS, StreamSocketOut } from '#contract/live/stream-socket.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { type LiveBench, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: LiveBench
beforeEach(async () => {
  bench = await openLiveBench(database)
})
afterEach(() => bench.close())

type Message = Readonly<Record<string, unknown>>

/** Reads recorded messages of the exchanges, without the envelope of combined streams. */
function recorded(file: string): Message[] {
  const bytes = readFileSync(new URL(`../../../data/wire/${file}`, import.meta.url))
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n')
  return lines.slice(0, 400).map((line) => {
    const message = JSON.parse(line) as Message
    return (message['data'] ?? message) as Message
  })
}

const said = (socket: TestSocket): Message[] => socket.frames.map((frame) => JSON.parse(frame) as Message)

async function next(socket: TestSocket, isIt: (message: Message) => boolean): Promise<Message> {
  await bench.until(() => said(socket).some(isIt))
  return said(socket).find(isIt) ?? {}
}

/** Returns the shape of a value, without its digits. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole' : 'number'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]))
  if (typeof value !== 'string') return typeof value
  const [, decimals] = /^-?\d+\.(\d+)$/.exec(value) ?? []
  return decimals === undefined ? (/^\d+$/.test(value) ? 'digits' : 'word') : `decimal.${decimals.length}`
}

describe('messages match the messages of the exchange, field by field', () => {
  it.each([
    ['kline_1m', 'kline', 'binance-spot-kline-aggtrade-singles.jsonl', []],
    ['kline_1m', 'kline', 'binance-tr-kline-bookticker-20230410.jsonl', []],
    ['miniTicker', '24hrMiniTicker', 'binance-spot-miniticker-quoted.jsonl', []],
    ['ticker', '24hrTicker', 'binance-spot-24hrticker-quoted.jsonl', []],
    ['ticker', '24hrTicker', 'binance-spot-24hrticker-20220529.jsonl', []],
    // A tick does not tell whether the buyer was the maker, so the field `m` is not compared.
    ['trade', 'trade', 'binance-spot-btcusdt-trade-20240808.jsonl.gz', ['m']],
  ])('SO9: %s: %s of %s', async (stream, event, file, left) => {
    await bench.priced(BTC.id, 100_00)
    const socket = await bench.connect(`/ws/btcusdt@${stream}`)
    await bench.priced(BTC.id, 101_23)
    const own = await next(socket, ({ e }) => e === event)
    const theirs = recorded(file).filter(({ e }) => e === event)
    expect(theirs.length).toBeGreaterThan(0)
    for (const message of theirs) {
      const wanted = Object.fromEntries(Object.entries(message).filter(([name]) => !left.some((one) => one === name)))
      expect(shapeOf(own)).toEqual(shapeOf(wanted))
    }
  })

  it('SO9: on the ticker channel, except order book and side, which a tick does not have', async () => {
    const left = new Set(['best_bid', 'best_bid_size', 'best_ask', 'best_ask_size', 'side', 'volume_30d'])
    await bench.priced(BTC.id, 100_00)
    const socket = await bench.connect('/ws/ticker')
    socket.say({ type: 'subscribe', product_ids: ['BTC-USD'], channels: ['ticker', 'heartbeat'] })
    const own = await next(socket, ({ type }) => type === 'ticker')
    const beat = await next(socket, ({ type }) => type === 'heartbeat')
    const kinds = (message: Message) =>
      Object.fromEntries(Object.entries(message).map(([name, value]) => [name, typeof value]))
    const files = ['coinbase-exchange-ticker-quoted.jsonl', 'coinbase-exchange-ticker-match-20210417.jsonl']
    for (const message of files.flatMap(recorded).filter(({ type }) => type === 'ticker')) {
      const wanted = Object.fromEntries(Object.entries(message).filter(([name]) => !left.has(name)))
      expect(kinds(own)).toEqual(kinds(wanted))
      for (const name of ['time', 'volume_24h']) expect(digitless(own[name])).toBe(digitless(wanted[name]))
    }
    const control = recorded('coinbase-exchange-control-quoted.jsonl')
    const theirBeat = control.find(({ type }) => type === 'heartbeat') ?? {}
    expect(kinds(beat)).toEqual(kinds(theirBeat))
    expect(digitless(beat['time'])).toBe(digitless(theirBeat['time']))
    socket.say({ type: 'subscribe', product_ids: ['MOON-USD'], channels: ['ticker'] })
    const error = await next(socket, ({ type }) => type === 'error')
    expect(error).toEqual({
      ...control.find(({ type }) => type === 'error'),
      reason: 'MOON-USD is not a valid product',
    })
  })
})

/** Replaces digits: `2026-03-18T15:00:00.000000Z` becomes `0-0-0T0:0:0.000000Z`. The fraction keeps its length. */
function digitless(value: unknown): string {
  return String(value)
    .replace(/\d+(?=[-:T.])/g, '0')
    .replace(/\d/g, '0')
}

describe('the stream socket', () => {
  it('SO9: replies as the exchange does, with the id exactly as sent', async () => {
    await bench.priced(BTC.id, 100_00)
    const socket = await bench.connect('/ws')
    const [ack] = recorded('binance-control-documented.jsonl')
    socket.say({ method: 'SUBSCRIBE', params: ['btcusdt@kline_1m', 'AAPL@ticker'], id: ack?.['id'] })
    expect(await next(socket, ({ id }) => id === 1)).toEqual(ack)
    expect(await next(socket, ({ e }) => e === 'kline')).toMatchObject({ s: 'BTCUSDT', k: { c: '100.00000000' } })
    socket.ws.send('{"id": 1723161255343000123, "method": "LIST_SUBSCRIPTIONS"}')
    await bench.until(() => socket.frames.at(-1)?.includes('1723161255343000123'))
    expect(socket.frames.at(-1)).toBe('{"result":["btcusdt@kline_1m","aapl@ticker"],"id":1723161255343000123}')
    socket.say({ method: 'UNSUBSCRIBE', params: ['btcusdt@kline_1m'], id: 'mine' })
    expect(await next(socket, ({ id }) => id === 'mine')).toEqual({ result: null, id: 'mine' })
    const before = socket.frames.length
    await bench.priced(BTC.id, 101_00)
    await bench.priced(AAPL.id, 7)
    await bench.until(() => socket.frames.length > before)
    expect(
      said(socket)
        .slice(before)
        .map(({ e, s }) => [e, s]),
    ).toEqual([['24hrTicker', 'AAPL']])
    for (const message of said(socket)) expect(StreamSocketOut.safeParse(message).error).toBeUndefined()
  })

  it('SO9: names the stream in each message on request, by address or property', async () => {
    await bench.priced(BTC.id, 100_00)
    const socket = await bench.connect('/stream?streams=btcusdt@miniTicker/btcusdt@kline_1m')
    await bench.until(() => socket.frames.length === 2)
    expect(said(socket).map(({ stream }) => stream)).toEqual(['btcusdt@miniTicker', 'btcusdt@kline_1m'])
    socket.say({ method: 'GET_PROPERTY', params: ['combined'], id: 1 })
    expect(await next(socket, ({ id }) => id === 1)).toEqual({ result: true, id: 1 })
    socket.say({ method: 'SET_PROPERTY', params: ['combined', false], id: 2 })
    expect(await next(socket, ({ e }) => e === 'kline')).toMatchObject({ s: 'BTCUSDT' })
    const several = await bench.connect('/ws/btcusdt@kline_1m/btcusdt@kline_5m')
    await bench.until(() => several.frames.length === 2)
    expect(several.messages.map(({ k }) => k?.i)).toEqual(['1m', '5m'])
  })

  it.each([
    ['/stream?streams=btcusdt@miniTicker', true],
    ['/stream/?streams=btcusdt@miniTicker', true],
    ['/ws/stream?streams=btcusdt@miniTicker', true],
    ['/ws/stream/?streams=btcusdt@miniTicker&timeUnit=MILLISECOND', true],
    ['/stream/btcusdt@miniTicker', true],
    ['/ws/btcusdt@miniTicker', false],
    ['/ws/btcusdt@miniTicker/', false],
    ['/ws/ws/btcusdt@miniTicker', false],
    ['/ws/btcusdt%40miniTicker', false],
    ['/ws?streams=btcusdt@miniTicker', false],
    ['/ws/?streams=btcusdt@miniTicker', false],
  ])(
    'P19: subscribes to the stream named at %s, and names the stream in each message: %s',
    async (path, isCombined) => {
      await bench.priced(BTC.id, 100_00)
      const socket = await bench.connect(path)
      await bench.until(() => socket.frames.length > 0)
      const [message] = said(socket)
      expect(message?.['stream']).toBe(isCombined ? 'btcusdt@miniTicker' : undefined)
      expect(isCombined ? message?.['data'] : message).toMatchObject({ e: '24hrMiniTicker', c: '100.00000000' })
    },
  )

  it.each([
    ['/ws/stream', true],
    ['/ws/stream/', true],
    ['/stream', true],
    ['/ws', false],
    ['/ws/', false],
    ['/ws/ws', false],
  ])('P19: accepts SUBSCRIBE at %s, and names the stream in each message: %s', async (path, isCombined) => {
    await bench.priced(BTC.id, 100_00)
    const socket = await bench.connect(path)
    socket.say({ method: 'SUBSCRIBE', params: ['btcusdt@ticker'], id: 1 })
    await bench.until(() => socket.frames.length === 2)
    expect(said(socket).map(({ result, stream, e }) => (result === null ? 'done' : (stream ?? e)))).toEqual([
      'done',
      isCombined ? 'btcusdt@ticker' : '24hrTicker',
    ])
  })

  it.each([
    '/ws/moon@ticker',
    '/ws/stream?streams=btcusdt@depth',
    '/ws/stream/ws',
    '/stream2',
    '/ws/btcusdt@ticker%',
    '/ws/btcusdt@ticker?timeUnit=MICROSECOND',
    '/sapi',
  ])('P19: answers at the unknown address %s with the error of the streams', async (path) => {
    const reply = await new Promise<{ status: number | undefined; text: string }>((resolve) => {
      const ws = new WebSocket(`ws://127.0.0.1:${bench.port}${path}`)
      ws.on('unexpected-response', (_, response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
    })
    expect(reply.status).toBe(404)
    expect(JSON.parse(reply.text)).toEqual({ error: { code: 2, msg: 'Invalid request: unknown stream' } })
  })

  it('sends each trade and each closed candle once to every subscriber', async () => {
    await bench.priced(BTC.id, 100_00)
    const [one, other] = [await bench.connect('/ws/btcusdt@trade/btcusdt@kline_1m'), await bench.connect('/stream')]
    other.say({ method: 'SUBSCRIBE', params: ['btcusdt@kline_1m', 'btcusdt@kline_1m'], id: 7 })
    await next(other, ({ id }) => id === 7)
    for (let units = 1; units <= 20; units += 1) bench.feed.tick(BTC.id, units, bench.ctx.now())
    bench.ctx.clock.advance(MINUTE_MS)
    await bench.priced(BTC.id, 99)
    await bench.until(() => said(one).filter(({ e }) => e === 'trade').length === 21)
    const trades = said(one).flatMap(({ e, t }) => (e === 'trade' ? [t] : []))
    expect(trades).toEqual(Array.from({ length: 21 }, (_, index) => index + 2))
    for (const socket of [one, other]) {
      const closed = socket.frames.filter((frame) => frame.includes('"x":true'))
      expect(closed).toHaveLength(1)
    }
  })

  it.each([
    ['{"method":"SUBSCRIBE","params":["dogeusdt@kline_1m"],"id":3}', 2, 3],
    ['{"method":"SUBSCRIBE","params":["btcusdt@depth"],"id":3}', 2, 3],
    ['{"method":"SUBSCRIBE","params":["btcusdt@kline_2m"],"id":3}', 2, 3],
    ['{"method":"SET_PROPERTY","params":["colour",true],"id":3}', 0, 3],
    ['{"method":"SET_PROPERTY","params":["combined","yes"],"id":3}', 1, 3],
    ['{"method":"BUY","id":3}', 2, 3],
    ['{"id":3}', 2, 3],
    ['{"method":"SUBSCRIBE","params":[{}],"id":-3}', 2, undefined],
    ['{', 3, undefined],
  ])('refuses %s', async (text, code, id) => {
    const socket = await bench.connect('/ws')
    socket.ws.send(text)
    await bench.until(() => socket.frames.length > 0)
    expect(said(socket)[0]).toEqual({ error: { code, msg: expect.any(String) }, ...(id !== undefined && { id }) })
    socket.say({ method: 'LIST_SUBSCRIPTIONS', id: 9 })
    expect(await next(socket, (message) => message['id'] === 9)).toEqual({ result: [], id: 9 })
  })
})

describe('abuse', () => {
  it('limits the number of streams of a client', async () => {
    const many = Array.from({ length: MAX_STREAMS + 1 }, () => 'btcusdt@ticker')
    await expect(bench.connect(`/ws/${many.join('/')}`)).rejects.toThrow('404')
    await expect(bench.connect('/ws/btcusdt@kline_1m/moon@trade')).rejects.toThrow('404')
    const socket = await bench.connect('/ws/1')
    socket.say({ method: 'SUBSCRIBE', params: many, id: 1 })
    expect(await next(socket, ({ id }) => id === 1)).toMatchObject({ error: { code: 2 } })
  })

  it('survives malformed messages, and closes after many of them', async () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({
          method: fc.constantFrom('SUBSCRIBE', 'UNSUBSCRIBE', 'SET_PROPERTY', 'x'),
          params: fc.anything(),
          id: fc.anything(),
        })
        .map((message) => JSON.stringify(message) ?? ''),
    )
    await fc.assert(
      fc.asyncProperty(junk, async (text) => {
        const socket = await bench.connect('/ws/btcusdt@trade')
        socket.ws.send(text)
        socket.say({ method: 'LIST_SUBSCRIPTIONS', id: 777_777 })
        await next(socket, ({ id }) => id === 777_777)
        socket.ws.terminate()
      }),
      { numRuns: 40 },
    )
    const socket = await bench.connect('/ws')
    for (let count = 0; count < 10; count += 1) socket.ws.send('[')
    await bench.until(() => socket.closed !== null)
    expect(socket.closed?.code).toBe(1008)
    expect(bench.ctx.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('sends the newest state to a slow reader, and delays no other client', async () => {
    const path = '/ws/btcusdt@kline_1m/btcusdt@ticker'
    await bench.priced(BTC.id, 1)
    const [slow, quick] = [await bench.connect(path), await bench.connect(path)]
    slow.ws.pause()
    for (let units = 2; units <= 20; units += 1) await bench.priced(BTC.id, units)
    const isLast = (socket: TestSocket) => socket.messages.some(({ k }) => k?.c === '0.20000000')
    await bench.until(() => isLast(quick))
    slow.ws.resume()
    await bench.until(() => isLast(slow))
    expect([slow.closed, quick.closed]).toEqual([null, null])
  })
})
