import { connect as connectTcp } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LiveBench, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: LiveBench
beforeEach(async () => {
  bench = await openLiveBench(database, { limits: { perAddress: 40 } })
})
afterEach(() => bench.close())

const closedWith = async (socket: TestSocket) => {
  await bench.until(() => socket.closed !== null)
  return socket.closed?.code
}

it.each([
  ['a foreign page', '/ws/app', { origin: 'https://evil.example' }, 403],
  ['a page without an origin of its own', '/ws/app', { origin: 'null' }, 403],
  ['a path that is none', '/ws/admin', {}, 404],
  ['a symbol that is not listed', '/ws/dogeusdt@kline_1m', {}, 404],
  ['an interval that is none', '/ws/btcusdt@kline_2m', {}, 404],
  ['a broken escape', '/ws/%E0%A4%A', {}, 404],
])('refuses %s before the upgrade', async (_, path, options, status) => {
  await expect(bench.connect(path, options)).rejects.toThrow(String(status))
})

it('accepts sockets from its own page', async () => {
  const socket = await bench.connect('/ws/app', { origin: `http://127.0.0.1:${bench.port}` })
  expect(socket.closed).toBeNull()
})

it('AT26: limits the open sockets of one address', async () => {
  const sockets: TestSocket[] = []
  for (let count = 0; count < 40; count += 1) sockets.push(await bench.connect())
  await expect(bench.connect()).rejects.toThrow('429')
  sockets[0]?.ws.close()
  await bench.until(() => sockets[0]?.closed !== null)
  expect((await bench.connect()).closed).toBeNull()
})

it('A9: counts the sockets of one /64 network together', async () => {
  await bench.close()
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2::3', '2001:db8:1:3::1']
  let nth = 0
  const addressOf = () => addresses[nth] ?? ''
  bench = await openLiveBench(database, { limits: { perAddress: 2 }, addressOf })
  await bench.connect()
  nth = 1
  await bench.connect()
  nth = 2
  await expect(bench.connect()).rejects.toThrow('429')
  nth = 3
  expect((await bench.connect()).closed).toBeNull()
})

it('closes after oversized, binary, too many and unreadable messages', async () => {
  const large = await bench.connect()
  large.ws.send('x'.repeat(16_385))
  expect(await closedWith(large)).toBe(1009)
  const binary = await bench.connect()
  binary.ws.send(Buffer.from('{"action":"ping"}'), { binary: true })
  expect(await closedWith(binary)).toBe(1003)
  const flood = await bench.connect()
  for (let count = 0; count < 1_000; count += 1) flood.say({ action: 'ping' })
  expect(await closedWith(flood)).toBe(1008)
  const unreadable = await bench.connect()
  for (let count = 0; count < 10; count += 1) unreadable.ws.send('{"action":')
  expect(await closedWith(unreadable)).toBe(1008)
  expect(unreadable.typed('error').every(({ code }) => code === 'bad_request')).toBe(true)
})

it('answers malformed messages with an error, including ten thousand brackets', async () => {
  const socket = await bench.connect()
  socket.ws.send(`${'['.repeat(8_000)}${']'.repeat(8_000)}`)
  await bench.until(() => socket.typed('error').length === 1)
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), messages), async (text) => {
      const client = await bench.connect()
      client.ws.send(text)
      client.say({ action: 'ping' })
      await bench.until(() => client.typed('pong').length > 0)
      client.ws.terminate()
    }),
    { numRuns: 60 },
  )
  expect(bench.ctx.lines.filter(({ level }) => level === 'error')).toEqual([])
})

/** Generates messages that resemble the contract. */
const messages = fc
  .record({
    action: fc.constantFrom('subscribe', 'newTrade', 'watch', 'seen'),
    token: fc.oneof(fc.string(), fc.constant(null), fc.integer()),
    symbols: fc.oneof(fc.array(fc.string()), fc.anything()),
    ids: fc.oneof(fc.array(fc.string()), fc.anything()),
    every: fc.anything(),
    data: fc.oneof(
      fc.record({ type: fc.constant('buy'), tradeSettingId: fc.anything(), amount: fc.anything() }),
      fc.anything(),
    ),
  })
  .map((message) => JSON.stringify(message) ?? '')

it('survives a connection reset during the handshake, and unmasked frames', async () => {
  const raw = connectTcp(bench.port, '127.0.0.1')
  raw.on('error', () => {})
  const head = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  raw.write(`GET /ws/app HTTP/1.1\r\n${head}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
  await new Promise((resolve) => raw.once('data', resolve))
  raw.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]))
  await new Promise((resolve) => raw.once('close', resolve))
  const reset = connectTcp(bench.port, '127.0.0.1')
  reset.on('error', () => {})
  reset.write(`GET /ws/nowhere HTTP/1.1\r\n${head}\r\n`)
  reset.resetAndDestroy()
  expect((await bench.connect()).closed).toBeNull()
})

it('AT26: drops a client that does not respond for a minute, and keeps others', async () => {
  const alive = await bench.connect()
  const dead = await bench.connect('/ws/app', { autoPong: false })
  let pings = 0
  alive.ws.on('ping', () => {
    pings += 1
  })
  for (let round = 1; round <= 4; round += 1) {
    bench.ctx.clock.advance(20_000)
    await bench.until(() => pings === round, 1)
  }
  await bench.until(() => dead.closed !== null, 1)
  expect(alive.closed).toBeNull()
})

it.each([-600_000, 3_600_000])('A2: keeps its sockets when the clock moves by %d ms', async (ms) => {
  const socket = await bench.connect()
  for (const step of [ms, -ms]) {
    bench.ctx.clock.step(step)
    bench.ctx.clock.advance(20_000)
    for (let count = 0; count < 10; count += 1) socket.say({ action: 'ping' })
    const before = socket.typed('pong').length
    await bench.until(() => socket.typed('pong').length >= before + 1 || socket.closed !== null, 1)
  }
  expect(socket.closed).toBeNull()
})

it('AT26: conflates for a client that does not read, never sends it an old price, and delays no other client', async () => {
  const slow = await bench.connect()
  const quick = await bench.connect()
  for (const socket of [slow, quick]) socket.say({ action: 'subscribe' })
  await bench.priced(BTC.id, 1)
  await bench.until(() => slow.prices('BTCUSDT').length > 0 && quick.prices('BTCUSDT').length > 0)
  slow.ws.pause()
  for (let units = 2; units <= 60; units += 1) {
    await bench.priced(BTC.id, units)
    await bench.until(() => quick.prices('BTCUSDT').at(-1) === units / 100)
  }
  slow.ws.resume()
  await bench.until(() => slow.prices('BTCUSDT').at(-1) === 0.6)
  for (const socket of [slow, quick]) {
    const prices = socket.prices('BTCUSDT')
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  }
})
