import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { CONGESTED_BYTES, Connection } from '#server/sockets/connection.ts'
import { FanOut } from '#server/sockets/fan-out.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'

const POLL = { interval: 2 }
const LARGE = 'x'.repeat(100_000)

let server: Server
let ctx: TestContext
let fanOut: FanOut
let value = 0
beforeEach(async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing here asks the database
  ctx = createTestContext({} as Db)
  value = 0
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fanOut = new FanOut({
    ctx,
    flushMs: 100,
    encode: () => JSON.stringify({ value, LARGE }),
    frames: (texts) => Buffer.concat(texts.map(textFrame)),
  })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Returns both ends of a real socket. */
async function pair(): Promise<{ connection: Connection; client: WebSocket; values: number[] }> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const opened = new Promise<Connection>((resolve) => {
    server.once('upgrade', (request, raw: Duplex, head) => {
      sockets.handleUpgrade(request, raw, head, (ws) =>
        resolve(new Connection(ctx, ws, raw, { address: 'test', userAgent: '', country: null })),
      )
    })
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has one
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const values: number[] = []
  client.on('message', (data) => {
    const message: { value: number } = JSON.parse(data instanceof Buffer ? data.toString('utf8') : '')
    values.push(message.value)
  })
  const connection = await opened
  await vi.waitFor(() => expect(client.readyState).toBe(WebSocket.OPEN), POLL)
  return { connection, client, values }
}

function change(): void {
  value += 1
  fanOut.changed([1])
  ctx.clock.advance(100)
}

it('sends only the newest value to a client that fell behind, and every value to other clients', async () => {
  const slow = await pair()
  const quick = await pair()
  for (const { connection } of [slow, quick]) fanOut.watch(connection, [1])
  await vi.waitFor(() => expect(slow.values).toEqual([0]), POLL)
  slow.client.pause()
  while (slow.connection.waitingBytes <= CONGESTED_BYTES) {
    change()
    await vi.waitFor(() => expect(quick.values.at(-1)).toBe(value), POLL)
  }
  const fellBehindAt = value
  const waiting = slow.connection.waitingBytes
  for (let more = 0; more < 30; more += 1) {
    change()
    await vi.waitFor(() => expect(quick.values.at(-1)).toBe(value), POLL)
  }
  expect(slow.connection.waitingBytes).toBe(waiting)
  expect(quick.values).toHaveLength(value + 1)
  slow.client.resume()
  await vi.waitFor(() => expect(slow.connection.waitingBytes).toBe(0), POLL)
  change()
  await vi.waitFor(() => expect(slow.values.at(-1)).toBe(value), POLL)
  expect(slow.values).toEqual([...Array.from({ length: fellBehindAt + 1 }, (_, index) => index), value])
  slow.client.terminate()
  quick.client.terminate()
})

it('writes once per 100 ms interval, and a late price delays no later one', async () => {
  const { connection, client, values } = await pair()
  const mark = -1
  const say = () => {
    value += 1
    fanOut.changed([1])
    connection.send({ value: mark })
  }
  fanOut.watch(connection, [1])
  say()
  ctx.clock.advance(30)
  say()
  ctx.clock.advance(69)
  say()
  await vi.waitFor(() => expect(values).toEqual([0, 1, mark, mark, mark]), POLL)
  ctx.clock.advance(1)
  await vi.waitFor(() => expect(values).toEqual([0, 1, mark, mark, mark, 3]), POLL)
  ctx.clock.advance(180)
  say()
  ctx.clock.advance(20)
  say()
  await vi.waitFor(() => expect(values.slice(6)).toEqual([4, mark, 5, mark]), POLL)
  client.terminate()
})

it('P8: continues at once when the clock is set back', async () => {
  const { connection, client, values } = await pair()
  fanOut.watch(connection, [1])
  change()
  ctx.clock.step(-3_600_000)
  change()
  await vi.waitFor(() => expect(values).toEqual([0, 1, 2]), POLL)
  client.terminate()
})

it('P8: sends new clients the current value, whatever was sent before', async () => {
  const first = await pair()
  fanOut.watch(first.connection, [1])
  await vi.waitFor(() => expect(first.values).toEqual([0]), POLL)
  fanOut.drop(first.connection)
  value = 1
  fanOut.changed([1])
  const second = await pair()
  fanOut.watch(second.connection, [1])
  await vi.waitFor(() => expect(second.values).toEqual([1]), POLL)
  // The value may also change with time alone.
  value = 2
  ctx.clock.advance(100)
  const third = await pair()
  fanOut.watch(third.connection, [1])
  await vi.waitFor(() => expect(third.values).toEqual([2]), POLL)
  for (const { client } of [first, second, third]) client.terminate()
})

it('closes a client that does not drain within ten seconds', async () => {
  const { connection, client } = await pair()
  let code = 0
  client.on('close', (closedWith) => {
    code = closedWith
  })
  fanOut.watch(connection, [1])
  client.pause()
  while (connection.waitingBytes <= CONGESTED_BYTES) change()
  change()
  ctx.clock.advance(9_000)
  change()
  expect(connection.isOpen).toBe(true)
  ctx.clock.advance(1_000)
  change()
  expect(connection.isOpen).toBe(false)
  client.resume()
  await vi.waitFor(() => expect(code).toBe(1013), POLL)
})

it('frames text of any length as RFC 6455 requires', async () => {
  const { connection, client } = await pair()
  const texts: string[] = []
  client.removeAllListeners('message')
  client.on('message', (data) => texts.push(data instanceof Buffer ? data.toString('utf8') : ''))
  const sent = [0, 1, 125, 126, 65_535, 65_536, 70_000].map((length) => 'a'.repeat(length))
  sent.push('ü€😀'.repeat(30), ...fc.sample(fc.string({ unit: 'grapheme' }), 50))
  for (const text of sent) connection.write(textFrame(text))
  await vi.waitFor(() => expect(texts).toEqual(sent), POLL)
  client.terminate()
})
