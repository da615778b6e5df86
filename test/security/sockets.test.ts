import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AttackBench, openAttackBench } from '#test/security/attack-harness.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let bench: AttackBench
beforeAll(async () => {
  bench = await openAttackBench(database)
})
afterAll(async () => {
  await bench.close()
})

const HANDSHAKE = [
  'GET /ws/app HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n')

/** Encodes a client frame, valid or with a fault. */
function frame(payload: Buffer | string, { opcode = 1, isLast = true, isMasked = true, reserved = 0 } = {}): Buffer {
  const body = Buffer.from(payload)
  const head = Buffer.alloc(body.length < 126 ? 2 : 4)
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode
  head[1] = (isMasked ? 0x80 : 0) | (body.length < 126 ? body.length : 126)
  if (head.length === 4) head.writeUInt16BE(body.length, 2)
  if (!isMasked) return Buffer.concat([head, body])
  const mask = randomBytes(4)
  return Buffer.concat([head, mask, body.map((byte, place) => byte ^ (mask[place % 4] ?? 0))])
}

/** Sends raw frames and returns the code of the server's close frame. */
async function closedWith(...frames: Buffer[]): Promise<number | null> {
  const reply = Buffer.from(await bench.raw(Buffer.concat([Buffer.from(HANDSHAKE), ...frames])), 'latin1')
  const end = reply.indexOf('\r\n\r\n') + 4
  for (let at = end; at + 1 < reply.length; ) {
    const opcode = (reply[at] ?? 0) & 0x0f
    const short = (reply[at + 1] ?? 0) & 0x7f
    const size = short === 126 ? reply.readUInt16BE(at + 2) : short
    const start = at + (short === 126 ? 4 : 2)
    if (opcode === 8) return reply.readUInt16BE(start)
    at = start + size
  }
  return null
}

it.each([
  'https://evil.com',
  'null',
  'https://sub.127.0.0.1.nip.io',
  'http://127.0.0.1',
  'http://127.0.0.1.evil.com',
  'file://',
])('AT24, AT37: a page from %s opens no socket', async (origin) => {
  for (const path of ['/ws/app', '/ws/ticker', '/ws/btcusdt@trade', '/api/admin/live'])
    await expect(bench.connect(path, { headers: { origin } })).rejects.toThrow('403')
})

it('AT24, AT37: a token in a socket address opens nothing, and is never logged', async () => {
  const { token } = await bench.app.signUp('tokens')
  const client = await bench.connect(`/ws/app?token=${token}`, { headers: { cookie: `token=${token}` } })
  client.send({ action: 'newTrade', data: { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTC' } })
  client.send({ action: 'seen', ids: ['x'] })
  client.send({ action: 'subscribe', token: `${token.slice(0, -1)}_` })
  await bench.until(() => client.said.filter(({ code }) => code === 'not_signed_in').length === 3)
  await expect(bench.connect('/api/admin/live', { headers: { cookie: `fairwick_staff=${token}` } })).rejects.toThrow(
    /40[134]/,
  )
  expect(JSON.stringify(bench.app.ctx.lines)).not.toContain(token)
})

it('AT25: frames that no browser sends close their own socket only', async () => {
  const witness = await bench.connect()
  const before = process.memoryUsage().rss
  expect(await closedWith(frame(Buffer.alloc(20_000, 'x')))).toBe(1009)
  expect(await closedWith(frame('{"action":"ping"}', { opcode: 2 }))).toBe(1003)
  expect(await closedWith(frame(Buffer.from([0xff, 0xfe, 0xfd])))).toBe(1007)
  expect(await closedWith(frame('{"action":"ping"}', { isMasked: false }))).toBe(1002)
  expect(await closedWith(frame('{}', { reserved: 4 }))).toBe(1002)
  expect(await closedWith(frame('{}', { opcode: 7 }))).toBe(1002)
  expect(await closedWith(frame('x'.repeat(126), { opcode: 9 }))).toBe(1002)
  expect(await closedWith(frame('', { opcode: 0 }))).toBe(1002)
  // Sends one message in a hundred thousand fragments, first with one letter each, then with none.
  for (const piece of ['x', '']) {
    const pieces = Array.from({ length: 100_000 }, () => frame(piece, { opcode: 0, isLast: false, isMasked: true }))
    expect(await closedWith(frame('{', { isLast: false }), ...pieces)).toBe(1008)
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576)
  witness.send({ action: 'ping' })
  await bench.until(() => witness.answers('pong').length === 1)
})

it('AT25: malformed text is answered, and much of it closes the socket', async () => {
  const texts = [
    '{"action":',
    '[]',
    'null',
    `${'['.repeat(8_000)}${']'.repeat(8_000)}`,
    '{"action":"subscribe","action":"owner"}',
  ]
  const client = await bench.connect()
  for (const text of texts) client.send(text)
  await bench.until(() => client.answers('error').length === texts.length)
  for (const text of texts) client.send(text)
  await bench.until(() => client.closed !== null)
  expect(client.closed).toBe(1008)
})

it('AT26: a client that floods with messages, pings or pongs is closed, and others are served', async () => {
  const witness = await bench.connect()
  for (const flood of ['message', 'ping', 'pong'] as const) {
    const client = await bench.connect()
    for (let count = 0; count < 10_000; count += 1) {
      if (flood === 'message') client.send({ action: 'ping' })
      else client.ws[flood]('x')
    }
    await bench.until(() => client.closed !== null, 1)
    // A client that is still sending may not receive the reason.
    expect([1006, 1008], flood).toContain(client.closed)
  }
  witness.send({ action: 'ping' })
  await bench.until(() => witness.answers('pong').length === 1)
})

it('AT27: no client subscribes to other users, the back office, everything or patterns', async () => {
  const { app } = bench
  const alice = await bench.funded(100, 'alice27')
  const mallory = await bench.funded(100, 'mallory27')
  const client = await bench.connect()
  const wishes = [
    { action: 'subscribe', token: mallory.token, userId: alice.id, user: alice.id, channel: `user:${alice.id}` },
    { action: 'subscribe', token: mallory.token, channel: 'admin' },
    { action: 'watch', symbols: ['*'] },
    { action: 'watch', symbols: ['%', '../'] },
    { action: 'watch', symbols: Array.from({ length: 501 }, () => 'BTC') },
    { action: 'watch', symbols: ['BTC'], every: 'all' },
    { action: 'seen', ids: Array.from({ length: 501 }, () => 'x') },
  ]
  for (const wish of wishes) client.send(wish)
  await bench.until(() => client.answers('error').length === 5)
  // An event of Alice must not reach Mallory's client.
  app.ctx.publish({ kind: 'balance-changed', userId: alice.id })
  app.ctx.publish({ kind: 'balance-changed', userId: mallory.id })
  await bench.until(() => client.answers('balanceChanged').length > 0)
  client.send({ action: 'ping' })
  await bench.until(() => client.answers('pong').length === 1)
  expect(client.answers('balanceChanged')).toHaveLength(1)
  const names = Array.from({ length: 2_000 }, (_, place) => `btcusdt@kline_${place}m`).join('/')
  const greedy = await bench.connect()
  greedy.send({ action: 'watch', symbols: Array.from({ length: 10_000 }, () => 'BTC') })
  await bench.until(() => greedy.closed === 1_009)
  await expect(bench.connect(`/stream?streams=${names}`.slice(0, 7_000))).rejects.toThrow('404')
})
