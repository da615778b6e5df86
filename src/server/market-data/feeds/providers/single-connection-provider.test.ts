import { afterEach, expect, test } from 'vitest'
import { finnhub } from '#server/market-data/feeds/providers/finnhub/finnhub.ts'
import { finnhubWire } from '#test/support/providers/finnhub-wire.ts'
import { countedTools, ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { until } from '#test/support/providers/provider-under-test.ts'

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function set() {
  const server = await ProviderServer.start(finnhubWire({ unknown: new Set(), bars: '' }))
  const limits = { socket: { betweenSendsMs: 0 } }
  const provider = finnhub({ name: 'tested', url: server.url, key: 'k3y' }, countedTools(), limits)
  closing.push(
    () => provider.stop(),
    () => server.stop(),
  )
  return { server, provider, recorder: new ProviderRecorder() }
}

const symbols = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ symbol: `S${n}`, channel: 'trade' }) as const)

test('refuses more symbols than the provider sends, before and after the start', async () => {
  const { server, provider, recorder } = await set()
  for (const symbol of symbols(51)) provider.follow(symbol)
  provider.start(recorder)
  provider.follow({ symbol: 'S51', channel: 'trade' })
  provider.follow({ symbol: 'S51', channel: 'trade' })
  await until(() => expect(server.messages).toHaveLength(50))
  const why = 'tested sends no more than 50 symbols'
  expect(recorder.troubles).toEqual([
    { kind: 'refused', symbol: 'S50', why },
    { kind: 'refused', symbol: 'S51', why },
  ])
  expect(server.violations).toEqual([])
})

test('opens no connection without a subscribed symbol, and none after its stop', async () => {
  const { server, provider, recorder } = await set()
  provider.start(recorder)
  expect(server.knocks).toBe(0)
  provider.follow({ symbol: 'AAPL', channel: 'trade' })
  await until(() => expect(recorder.connections).toBe(1))
  await provider.stop()
  provider.follow({ symbol: 'MSFT', channel: 'trade' })
  provider.start(recorder)
  await until(() => expect(server.clients).toBe(0))
  expect([server.knocks, recorder.connections]).toEqual([1, 1])
})

test('never calls Finnhub without its key', () => {
  expect(() => finnhub({ name: 'tested' }, countedTools())).toThrow('tested needs a key')
})
