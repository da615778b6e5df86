import { deflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archivedTrades, binanceRecord, coinbaseRecord, type RecordedTrade, type RefRange } from './provider-record.ts'
import { unzip } from './unzip.ts'

async function all(trades: AsyncGenerator<RecordedTrade>): Promise<RecordedTrade[]> {
  const found: RecordedTrade[] = []
  for await (const trade of trades) found.push(trade)
  return found
}

const RANGE: RefRange = { from: 1_005, to: 4_200, fromMs: 10_000 }

it('reads Binance’s record trade by trade, requesting the first page by time and the next pages by row number', async () => {
  // Row a covers two trades, 2a and 2a + 1, and 3 ms pass between rows.
  const rows = Array.from({ length: 2_500 }, (_, a) => ({ a, p: `${a}.5`, f: 2 * a, l: 2 * a + 1, T: 9_000 + 3 * a }))
  const requests: string[] = []
  const read = (url: string) => {
    const { searchParams } = new URL(url)
    requests.push(url.replace(/^.*limit=1000&/, ''))
    const [fromId, startTime] = [searchParams.get('fromId'), searchParams.get('startTime')].map(Number)
    return Promise.resolve(rows.filter(({ a, T }) => a >= (fromId ?? 0) && T >= (startTime ?? 0)).slice(0, 1_000))
  }
  const found = await all(binanceRecord('BTCUSDT', RANGE, read))
  expect(requests).toEqual(['startTime=10000', 'fromId=1334', 'fromId=2334'].slice(0, requests.length))
  expect(found.map(({ ref }) => ref)).toEqual(Array.from({ length: 3_196 }, (_, n) => 1_005 + n))
  expect(found[0]).toEqual({ ref: 1_005, price: '502.5', timeMs: 10_506 })
})

it("leaves out Binance's rows for trades that Binance itself has lost", async () => {
  const rows = [
    { a: 1, p: '1', f: 10, l: 10, T: 1 },
    { a: 2, p: '0', f: -1, l: -1, T: 1 },
    { a: 3, p: '2', f: 12, l: 12, T: 2 },
  ]
  const found = await all(binanceRecord('X', { from: 10, to: 12, fromMs: 0 }, () => Promise.resolve(rows)))
  expect(found.map(({ ref }) => ref)).toEqual([10, 12])
})

it('reads the record of Coinbase backwards by number', async () => {
  const read = (url: string) => {
    const after = Number(new URL(url).searchParams.get('after'))
    const rows = Array.from({ length: 1_000 }, (_, n) => after - 1 - n).filter((id) => id > 0)
    return Promise.resolve(
      rows.map((id) => ({ trade_id: id, price: `${id}.00`, time: '2024-08-08T23:54:15.3429876Z', side: 'buy' })),
    )
  }
  const found = await all(coinbaseRecord('BTC-USD', RANGE, read))
  expect(found.map(({ ref }) => ref).toReversed()).toEqual(Array.from({ length: 3_196 }, (_, n) => 1_005 + n))
  // Times are cut to milliseconds, like the times of the stream.
  expect(found[0]).toEqual({ ref: 4_200, price: '4200.00', timeMs: Date.UTC(2024, 7, 8, 23, 54, 15, 342) })
})

it('reads both kinds of Binance’s archives, with milliseconds and microseconds, with and without a heading', () => {
  const single = ['id,price,qty,quote_qty,time,is_buyer_maker,is_best_match', '7,1.50,2,3,1723161255342,True,True', '']
  expect([...archivedTrades(single)]).toEqual([{ ref: 7, price: '1.50', timeMs: 1_723_161_255_342 }])
  const joined = ['9,1.50,2,20,22,1767225600000999,True,True']
  expect([...archivedTrades(joined)]).toEqual(
    [20, 21, 22].map((ref) => ({ ref, price: '1.50', timeMs: 1_767_225_600_000 })),
  )
})

/** A ZIP archive with one file, as the format describes it. */
function zipped(content: Buffer, method: 0 | 8): Buffer {
  const data = method === 8 ? deflateRawSync(content) : content
  const name = Buffer.from('a.csv')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(method, 8)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(local.length + name.length + data.length, 16)
  return Buffer.concat([local, name, data, entry, name, end])
}

it('unpacks the only file of an archive, and refuses anything else', () => {
  const content = Buffer.from('1,2,3\n'.repeat(1_000))
  for (const method of [0, 8] as const) expect(unzip(zipped(content, method))).toEqual(content)
  expect(() => unzip(content)).toThrow('this is no ZIP archive')
  const two = zipped(content, 8)
  two.writeUInt16LE(2, two.length - 12)
  expect(() => unzip(two)).toThrow('more than one file')
})
