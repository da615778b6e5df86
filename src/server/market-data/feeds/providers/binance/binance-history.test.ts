import { afterEach, expect, test } from 'vitest'
import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { binanceWire } from '#test/support/providers/binance-wire.ts'
import { countedTools } from '#test/support/providers/provider-recorder.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'

const FIRST = Math.floor(systemClock.now() / MINUTE_MS) * MINUTE_MS - HOUR_MS
let close = () => Promise.resolve()

afterEach(() => close())

async function unread(middle: readonly unknown[]): Promise<unknown> {
  const row = (minute: number) => [FIRST + minute * MINUTE_MS, '2', '3', '1', '2', '5', 0]
  const rows = [row(0), middle, row(2)]
  const server = await ProviderServer.start(binanceWire({ symbols: new Set(['BTCUSDT']), klines: () => rows }))
  const provider = new Binance({ name: 'b', url: server.url, restUrl: server.restUrl }, countedTools())
  close = async () => {
    await provider.stop()
    await server.stop()
  }
  const before = instant(FIRST + 3 * MINUTE_MS)
  return await provider.history
    .candles({ symbol: 'BTCUSDT', interval: '1m', from: instant(FIRST), before })
    .catch((error: unknown) => error)
}

test.each([
  ['a price as a number', [FIRST + MINUTE_MS, 2, '3', '1', '2', '5', 0]],
  ['a volume as a number', [FIRST + MINUTE_MS, '2', '3', '1', '2', 5, 0]],
  ['a time as text', [String(FIRST + MINUTE_MS), '2', '3', '1', '2', '5', 0]],
])('P6: treats a bar with %s as unknown', async (_, row) => {
  expect(await unread(row)).toMatchObject({ name: 'PartialBars', unread: [FIRST + MINUTE_MS] })
})
