import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { ProviderSocket, type SocketPlan } from '#server/market-data/feeds/providers/provider-socket.ts'
import { REST_LIMITS, RestClient } from '#server/market-data/feeds/providers/rest-client.ts'
import { RestPeriod, RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { SOCKET_LIMITS } from '#server/market-data/feeds/providers/socket-limits.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { until } from '#test/support/providers/provider-under-test.ts'

const START = Date.UTC(2026, 0, 5, 12)
const MINUTE = 60_000
const DAY = 86_400_000

let server: Server
let calls = 0
let reply: { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
let clock: FakeClock
beforeEach(async () => {
  calls = 0
  reply = { status: 200, headers: {}, body: '[]' }
  clock = new FakeClock(START)
  server = createServer((_, response) => {
    calls += 1
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  // A handshake gets the same reply as a call.
  server.on('upgrade', (_, wire) => {
    calls += 1
    wire.on('error', () => undefined)
    const headers = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    wire.end(`HTTP/1.1 ${reply.status} No\r\n${headers.join('')}Connection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

const address = (protocol: string) => `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
const tools = () => ({ clock, randomBytes: (count: number) => new Uint8Array(count) })

function refuse(status: number, retryAfter: string | null, body = ''): void {
  reply = { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter }, body }
}

describe('REST calls', () => {
  it.each([
    [418, '720', '', 12 * MINUTE],
    [418, '259200', '', 3 * DAY],
    [429, '3600', '', 60 * MINUTE],
    [503, '7200', '', 120 * MINUTE],
    [429, new Date(START + DAY).toUTCString(), '', DAY],
    [418, null, `IP banned until ${START + DAY}`, DAY],
    [429, '99999999999999', '', 7 * DAY],
  ])('P6: HTTP %i with Retry-After %s %s: makes no call during that time', async (status, header, body, ms) => {
    const pauses: string[] = []
    const rest = new RestPeriod(clock, (end, why) => pauses.push(`${end - START}: ${why}`))
    const client = new RestClient(tools(), { url: address('http') }, REST_LIMITS, undefined, rest)
    refuse(status, header, body)
    await expect(client.get('/bars')).rejects.toMatchObject({ retry: true })
    refuse(200, null, '[]')
    for (const at of [1, MINUTE, ms / 2, ms - MINUTE - 1]) {
      clock.jump(START + at - clock.now())
      await expect(client.get('/other')).rejects.toMatchObject({
        retry: true,
        message: `/other is not called before ${new Date(START + ms).toISOString()}: the provider told us to wait`,
      })
    }
    expect(calls).toBe(1)
    expect(pauses).toEqual([
      `${ms}: /bars returned HTTP ${status}; asked again after ${new Date(START + ms).toISOString()}`,
    ])
    clock.jump(START + ms - clock.now())
    expect(await client.get('/bars')).toEqual([])
  })

  it.each([
    [429, null],
    [429, '-5'],
    [418, 'soon'],
    [429, '0'],
  ])('P6: HTTP %i with Retry-After %s has no duration: pauses for a minute', async (status, header) => {
    const client = new RestClient(tools(), { url: address('http') }, REST_LIMITS)
    refuse(status, header)
    await expect(client.get('/bars')).rejects.toMatchObject({ retry: true })
    refuse(200, null, '[]')
    const answer = client.get('/bars')
    await until(() => expect(clock.pendingTimers).toBe(1))
    expect(calls).toBe(1)
    clock.advance(MINUTE)
    expect(await answer).toEqual([])
  })

  it('P6: do not stop for longer when the clock is set back', async () => {
    const client = new RestClient(tools(), { url: address('http') }, REST_LIMITS)
    await client.get('/bars')
    clock.step(-60 * MINUTE)
    const answer = client.get('/bars')
    await until(() => expect(clock.pendingTimers).toBe(1))
    clock.advance(REST_LIMITS.betweenCallsMs)
    expect(await answer).toEqual([])
  })

  it('P6: continue without a pause after a failure when the provider requested none', async () => {
    const client = new RestClient(tools(), { url: address('http') }, { ...REST_LIMITS, betweenCallsMs: 0 })
    refuse(503, null)
    await expect(client.get('/bars')).rejects.toMatchObject({ retry: true })
    refuse(200, null, '[]')
    expect(await client.get('/bars')).toEqual([])
  })
})

describe('new connections', () => {
  function socket(rest: RestPeriod) {
    const lost: string[] = []
    const plan: SocketPlan<never> = {
      url: address('ws'),
      limits: { ...SOCKET_LIMITS, openWithinMs: 2 ** 30 },
      rest,
      talk: () => {
        throw new Error('it never opens')
      },
      connected: () => undefined,
      disconnected: (why) => void lost.push(why),
      unreadable: () => undefined,
    }
    return { lost, socket: new ProviderSocket(tools(), plan) }
  }

  it.each([
    [418, '720', 12 * MINUTE],
    [429, '259200', 3 * DAY],
    [503, new Date(START + DAY).toUTCString(), DAY],
  ])('P6: HTTP %i with Retry-After %s: opens no socket during that time', async (status, header, ms) => {
    const rest = new RestPeriod(clock)
    const [one, two] = [socket(rest), socket(rest)]
    refuse(status, header)
    one.socket.start()
    await until(() => expect(one.lost).toHaveLength(1))
    two.socket.start()
    clock.advance(ms - 1)
    expect(calls).toBe(1)
    clock.advance(1)
    await until(() => expect(calls).toBe(3))
    await Promise.all([one.socket.stop(), two.socket.stop()])
    expect(clock.pendingTimers).toBe(0)
  })
})

it('P6: reports the end of a requested pause, as a problem and when queried', async () => {
  const binance = new Binance({ name: 'b', url: address('ws'), restUrl: address('http') }, tools())
  const recorder = new ProviderRecorder()
  binance.start(recorder)
  refuse(418, '259200')
  const query = { symbol: 'BTCUSDT', interval: '1m', from: START - DAY, before: START } as never
  await expect(binance.history.candles(query)).rejects.toMatchObject({ retry: true })
  expect(binance.restsUntil()).toBe(START + 3 * DAY)
  expect(recorder.troubles).toMatchObject([{ kind: 'resting', until: START + 3 * DAY }])
  clock.jump(3 * DAY)
  expect(binance.restsUntil()).toBeNull()
  await binance.stop()
})

it('P6: a pause ends after its duration, even when the clock is set back', () => {
  const rest = new RestPeriod(clock)
  rest.begin(5_000, 'a')
  clock.step(-60 * MINUTE)
  expect(rest.until).toBe(clock.now() + 5_000)
  clock.advance(5_000)
  expect(rest.until).toBeNull()
})

it('P6: keep the longer pause when a shorter one is requested later', () => {
  const rests = new RestPeriods({ clock })
  rests.calls.begin(5_000, 'a')
  rests.connections.begin(9_000, 'b')
  rests.connections.begin(2_000, 'c')
  expect(rests.until).toBe(START + 9_000)
  clock.jump(6_000)
  expect([rests.calls.until, rests.connections.until]).toEqual([null, START + 9_000])
})
