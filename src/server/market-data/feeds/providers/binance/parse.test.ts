import { expect, test } from 'vitest'
import { Unreadable } from '#server/market-data/feeds/providers/exact-json.ts'
import { parseBinance } from '#server/market-data/feeds/providers/binance/parse.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const TRADE =
  '{"e":"trade","E":1723161255343,"s":"BTCUSDT","t":3735683259,"p":"61837.63000000","q":"0.02000000","T":1723161255342,"m":true,"M":true}'
const [TICKER = ''] = readWire('binance-spot-24hrticker-quoted.jsonl')

test('parses a trade, single and in a combined stream, also in an older form', () => {
  const trade = {
    kind: 'trade',
    symbol: 'BTCUSDT',
    id: 3_735_683_259n,
    price: '61837.63000000',
    volume: '0.02000000',
    time: 1_723_161_255_342,
    unit: 'ms',
  }
  expect(parseBinance(TRADE)).toEqual(trade)
  expect(parseBinance(`{"stream":"btcusdt@trade","data":${TRADE}}`)).toEqual(trade)
  expect(parseBinance(TRADE.replace('"T":', '"b":1,"a":2,"T":'))).toEqual(trade)
})

test('reads ids of nineteen digits exactly', () => {
  expect(parseBinance(TRADE.replace('3735683259', '9007199254740993123'))).toMatchObject({
    id: 9_007_199_254_740_993_123n,
  })
  expect(parseBinance('{"result":null,"id":1723161255343123456}')).toEqual({ kind: 'answer', id: null, error: null })
})

test('lets a ticker confirm all trades before its millisecond', () => {
  expect(parseBinance(TICKER)).toEqual({
    kind: 'ticker',
    symbol: 'BTCUSDT',
    price: '68004.12000000',
    lastTradeId: 6_054_521_811n,
    knownUpTo: 1_772_574_569_012,
    time: 1_772_574_569_035,
    unit: 'ms',
  })
})

test('ignores a futures ticker, which has no best bid and ask', () => {
  const { x: _x, b: _b, a: _a, ...futures } = JSON.parse(TICKER) as Record<string, unknown>
  expect(parseBinance(JSON.stringify({ ...futures, ps: 'BTCUSDT' }))).toEqual({ kind: 'other' })
})

test.each([
  ['"L":-1', '"n":0'],
  ['"L":0', '"n":0'],
])('P5: finds no trade in a ticker with %s and %s', (last, count) => {
  const text = TICKER.replace('"L":6054521811', last).replace('"n":7730946', count)
  expect(parseBinance(text)).toEqual({ kind: 'other' })
})

test("P5: accepts the trade 0 as a symbol's first", () => {
  const text = TICKER.replace('"L":6054521811', '"L":0').replace('"n":7730946', '"n":1')
  expect(parseBinance(text)).toMatchObject({ kind: 'ticker', lastTradeId: 0n })
})

test.each(['1723161255342000', '1723161255342999'])(
  'P22: reads the trade time %s as microseconds of the millisecond 1723161255342',
  (time) => {
    const trade = parseBinance(TRADE.replace('"T":1723161255342', `"T":${time}`))
    expect(trade).toMatchObject({ time: 1_723_161_255_342, unit: 'us' })
  },
)

test.each(['1723161255', '1723161255342999999', '"1723161255342"', '1723161255342.0', '"1723161255342000"'])(
  'P22: rejects the trade time %s: only milliseconds or microseconds as numbers',
  (time) => {
    expect(() => parseBinance(TRADE.replace('"T":1723161255342', `"T":${time}`))).toThrow(Unreadable)
  },
)

test.each(['3735683259.0', '"3735683259"', '"9007199254740993"', '3.735683259e9', '-1'])(
  'P6: rejects the trade id %s: only whole numbers',
  (id) => {
    expect(() => parseBinance(TRADE.replace('3735683259', id))).toThrow(Unreadable)
  },
)

test('P6: reads an id with more digits than a number keeps digit by digit', () => {
  expect(parseBinance(TRADE.replace('3735683259', '9007199254740993'))).toMatchObject({ id: 9_007_199_254_740_993n })
})

test('P22: reads a ticker in microseconds as the same ticker', () => {
  const micro = TICKER.replace('1772574569035', '1772574569035000').replace('1772574569013', '1772574569013000')
  expect(parseBinance(micro)).toEqual({ ...parseBinance(TICKER), unit: 'us' })
})

test.each<[string, string, object | null]>([
  ['a price', TRADE.replace('61837.63000000', ''), { symbol: 'BTCUSDT', id: 3_735_683_259n, time: 1_723_161_255_342 }],
  ['a time', TRADE.replace('1723161255342', '" 1"'), { symbol: 'BTCUSDT', time: null }],
  ['an id', TRADE.replace('3735683259', 'null'), { symbol: 'BTCUSDT', id: null, time: 1_723_161_255_342 }],
  ['its event', `{"stream":"btcusdt@trade","data":${TRADE.replace('"trade"', '7')}}`, { symbol: 'BTCUSDT' }],
  ['its data', '{"stream":"btcusdt@trade","data":[7]}', { symbol: 'BTCUSDT', channel: 'trade' }],
  ['its symbol', TRADE.replace('"BTCUSDT"', 'null'), { symbol: null }],
  ['its stream', `{"stream":"ethusdt@trade","data":${TRADE}}`, { symbol: null }],
  ['its stream', `{"stream":"btcusdt@trad","data":${TRADE}}`, { symbol: null }],
  ['anything', TRADE.slice(0, -1), { symbol: null }],
  ['its event alone', TRADE.replace('"trade"', '"trad"'), { symbol: null }],
])('P1: names the symbol that may have traded for a trade without %s: %s', (_, text, trade) => {
  const error = (() => {
    try {
      return parseBinance(text)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(Unreadable)
  expect((error as Unreadable).trade).toMatchObject(trade ?? {})
})

test('parses replies, errors and the announced end of a server', () => {
  const messages = readWire('binance-control-documented.jsonl').map((text) => parseBinance(text))
  expect(messages).toEqual([
    { kind: 'answer', id: 1, error: null },
    { kind: 'answer', id: 2, error: null },
    { kind: 'answer', id: null, error: '-1121 Invalid symbol.' },
    { kind: 'answer', id: null, error: '-1120 Invalid interval.' },
    { kind: 'shutdown' },
    { kind: 'shutdown' },
  ])
  expect(parseBinance('{"error":{"code":2,"msg":"Invalid request"},"id":7}')).toEqual({
    kind: 'answer',
    id: 7,
    error: '2 Invalid request',
  })
})

test.each([
  'binance-spot-kline-aggtrade-bookticker-20211012.jsonl',
  'binance-tr-kline-bookticker-20230410.jsonl',
  'binance-spot-kline-aggtrade-singles.jsonl',
  'binance-spot-miniticker-quoted.jsonl',
])('%s: ignores other streams', (file) => {
  for (const text of readWire(file)) expect(parseBinance(text)).toEqual({ kind: 'other' })
})

test.each([
  ['the stream of another symbol', `{"stream":"ethusdt@trade","data":${TRADE}}`],
  ['another stream', `{"stream":"btcusdt@aggTrade","data":${TRADE}}`],
  ['names in another case', TRADE.replace('"t":', '"x":').replace('"T":', '"t":')],
  ['a price as a number', TRADE.replace('"61837.63000000"', '61837.63')],
  ['no symbol', TRADE.replace('"s":"BTCUSDT"', '"s":""')],
  ['a blank before its time', TRADE.replace('1723161255342', '" 1723161255342"')],
  ['a volume inside something', TRADE.replace('"0.02000000"', '{"":{"":"1000"}}')],
  ['a volume as a number', TRADE.replace('"0.02000000"', '0.02')],
  ['two prices', TRADE.replace('"p":', '"p":"1","p":')],
  ['a fraction of an id', TRADE.replace('3735683259', '37356.5')],
])('rejects a trade with %s', (_, text) => {
  expect(() => parseBinance(text)).toThrow(Unreadable)
})
