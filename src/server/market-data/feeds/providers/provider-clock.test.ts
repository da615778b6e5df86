import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { providerClock } from '#server/market-data/feeds/providers/provider-clock.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const NOW = 1_774_000_000_000

let server: Server
let clock: FakeClock
let body: string
let calls: string[]
beforeEach(async () => {
  clock = new FakeClock(NOW)
  calls = []
  server = createServer(({ url = '' }, response) => {
    calls.push(url)
    // The request and its reply take 30 ms.
    clock.jump(30)
    response.end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterEach(
  () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(resolve)
    }),
)

const clockOf = (kind: string) =>
  providerClock(
    { name: 'one', kind, rest: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) },
    { clock },
  )

it.each([
  ['binance', '/api/v3/time', '{"serverTime":1774000000011}'],
  ['coinbase', '/time', '{"iso":"2026-03-20T09:46:40.011Z","epoch":1774000000.011}'],
  [
    'coinbase-advanced',
    '/api/v3/brokerage/time',
    '{"iso":"2026-03-20T09:46:40.011Z","epochSeconds":"1774000000","epochMillis":"1774000000011"}',
  ],
])('requests the time from %s', async (kind, path, answer) => {
  body = answer
  expect(await clockOf(kind)?.ask()).toEqual({ requestedAt: NOW, answeredAt: NOW + 30, time: 1_774_000_000_011 })
  expect(calls).toEqual([path])
})

it.each([
  ['binance', '{}'],
  ['binance', '{"serverTime":"1774000000011"}'],
  ['binance', '{"serverTime":1774000000}'],
  ['binance', '{"serverTime":1.774e12}'],
  ['binance', '[]'],
  ['coinbase', '{"epoch":1774000000.011}'],
  ['coinbase', '{"iso":"2026-02-30T09:46:40.011Z"}'],
  ['coinbase', 'not JSON'],
])('guesses no time from a reply of %s: %s', async (kind, answer) => {
  body = answer
  await expect(clockOf(kind)?.ask()).rejects.toThrow(/./)
})

it('fails at once after its stop, and has no clock for providers without a call for their time', async () => {
  body = '{"serverTime":1774000000011}'
  const stopped = clockOf('binance')
  stopped?.stop()
  await expect(stopped?.ask()).rejects.toThrow(/./)
  expect(clockOf('finnhub')).toBeNull()
  expect(providerClock({ name: 'one', kind: 'binance', rest: undefined }, { clock })).toBeNull()
})
