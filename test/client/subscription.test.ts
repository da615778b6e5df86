import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createClient } from '../../clients/js/src/client.ts'
import type { Socket } from '../../clients/js/src/line.ts'

type Listener = Parameters<Socket['addEventListener']>[1]

/** The newest socket of the client. The test plays the server. */
let socket: FakeSocket
const opened = (one: FakeSocket) => (socket = one)
class FakeSocket implements Socket {
  readonly readyState = 1
  readonly sent: { action: string; ids?: string[] }[] = []
  readonly #listeners = new Map<string, Listener>()
  constructor() {
    opened(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { action: string })
  }
  close(): void {}
  addEventListener(kind: string, listener: Listener): void {
    this.#listeners.set(kind, listener)
  }
  happen(type: string, data?: object): void {
    this.#listeners.get(type)?.({ type, data: JSON.stringify(data) })
  }
  say(data: object): void {
    this.happen('message', data)
  }
  count(action: string): number {
    return this.sent.filter((message) => message.action === action).length
  }
}

const refusal = (code: string) => ({ type: 'error', code, message: code })
const PONG = { type: 'pong', data: { tradeStatus: 1, tradeReason: '', serverTime: 0 } }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function connected() {
  const client = createClient({ url: 'http://site.test', key: 'fwk_key', WebSocket: FakeSocket })
  const errors: unknown[] = []
  client.on('error', (error) => errors.push(error))
  void client.connect()
  socket.happen('open')
  socket.say(PONG)
  return { client, errors }
}

it.each(['key_sockets', 'rate_limited', 'busy'])(
  'a subscription refused with %s is repeated until the server accepts it',
  async (code) => {
    const { client, errors } = connected()
    for (let times = 1; times <= 3; times += 1) {
      expect(socket.count('subscribe')).toBe(times)
      socket.say(refusal(code))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(socket.count('subscribe')).toBe(4)
    expect(errors).toHaveLength(3)
    client.close()
    expect(vi.getTimerCount()).toBe(0)
  },
)

it('results wait for a subscription, and their refused confirmation does not close the client', async () => {
  const { client } = connected()
  client.on('result', () => undefined)
  socket.say(refusal('key_sockets'))
  socket.say(refusal('not_signed_in'))
  const result = { type: 'tradeResult', status: 'success', data: { id: 'one' } }
  socket.say(result)
  await vi.advanceTimersByTimeAsync(0)
  expect(socket.count('seen')).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(socket.count('subscribe')).toBe(2)
  // The server sends unseen results after each subscription.
  socket.say(result)
  await vi.advanceTimersByTimeAsync(0)
  expect(socket.count('seen')).toBe(1)
  client.close()
})

it('a lost connection ends the repetition, because the next connection subscribes', async () => {
  const { client } = connected()
  socket.say(refusal('key_sockets'))
  const first = socket
  socket.happen('close')
  await vi.waitUntil(() => socket !== first)
  socket.happen('open')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(socket.count('subscribe')).toBe(1)
  client.close()
})

it('a key that the server refuses closes the client, and later orders are rejected', async () => {
  const { client } = connected()
  socket.say(refusal('not_signed_in'))
  const order = { type: 'buy', symbol: 'BTC', tradeSettingId: 1, amount: '1' } as const
  await expect(client.place(order)).rejects.toMatchObject({ code: 'not_signed_in' })
  void client.connect()
  socket.happen('open')
  socket.say(PONG)
  const placed = client.place(order)
  expect(socket.count('newTrade')).toBe(1)
  client.close()
  await expect(placed).rejects.toMatchObject({ code: 'closed' })
})
