import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Conversation, type Line, ProviderSocket } from '#server/market-data/feeds/providers/provider-socket.ts'
import type { ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { SOCKET_LIMITS, type SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderServer, type WireProtocol } from '#test/support/providers/provider-server.ts'
import { until } from '#test/support/providers/provider-under-test.ts'

/** A test provider that sends every text to all clients, and answers "ask" with "answer". */
const ECHO: WireProtocol = {
  maxSubscriptions: 1,
  maxConnections: 2,
  names: () => [],
  isFor: () => true,
  hear(text, peer) {
    if (text === 'ask') peer.send('answer')
  },
  answer: () => ({ status: 404, body: '' }),
}

class Talker implements Conversation {
  probes = 0
  answers = 0
  readonly line: Line
  readonly #texts: string[]

  constructor(line: Line, texts: string[]) {
    this.line = line
    this.#texts = texts
    line.ready()
  }

  message(text: string): (() => void) | null {
    if (text === 'bad') throw new Error('it is bad')
    if (text === 'answer') {
      this.answers += 1
      return null
    }
    return () => void this.#texts.push(text)
  }

  probe(): void {
    this.probes += 1
    this.line.send('ask')
  }
}

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

async function open(limits: Partial<SocketLimits>, { clock = new FakeClock(0), bytes = [128, 0], url = '' } = {}) {
  const server = await ProviderServer.start(ECHO)
  const texts: string[] = []
  const events: string[] = []
  const talkers: Talker[] = []
  const tools: ProviderTools = { clock, randomBytes: () => Uint8Array.from(bytes) }
  const socket = new ProviderSocket<Talker>(tools, {
    url: url === '' ? server.url : url,
    limits: { ...SOCKET_LIMITS, ...limits },
    talk(line) {
      const talker = new Talker(line, texts)
      talkers.push(talker)
      return talker
    },
    connected: () => events.push('connected'),
    disconnected: (why) => events.push(`disconnected: ${why}`),
    unreadable: (why) => events.push(`unreadable: ${why}`),
  })
  closing.push(
    () => socket.stop(),
    () => server.stop(),
  )
  socket.start()
  return { server, clock, socket, texts, events, talkers }
}

describe('a self-monitoring connection', () => {
  test("sends one message at a time, at the provider's minimum interval", async () => {
    const { server, clock, talkers, events } = await open({ betweenSendsMs: 300 })
    await until(() => expect(events).toEqual(['connected']))
    for (const text of ['a', 'b', 'c']) talkers[0]?.line.send(text)
    await until(() => expect(server.messages).toEqual(['a']))
    clock.advance(299)
    expect(server.messages).toEqual(['a'])
    clock.advance(1)
    await until(() => expect(server.messages).toEqual(['a', 'b']))
    clock.advance(300)
    await until(() => expect(server.messages).toEqual(['a', 'b', 'c']))
  })

  test('waits longer after each failure, at random, and starts over after a steady connection', async () => {
    const { server, clock, events } = await open({ backOffToMs: 2_000, steadyAfterMs: 60_000, silenceMs: 600_000 })
    await until(() => expect(events).toEqual(['connected']))
    server.door = 'refuse'
    server.drop('rudely')
    // Half of the maximum wait each time, because the random value is one half.
    for (const [at, waitMs] of [250, 500, 1_000, 1_000, 1_000].entries()) {
      await until(() => expect(events).toHaveLength(at + 2))
      clock.advance(waitMs - 1)
      expect(server.knocks).toBe(at + 1)
      if (at === 4) server.door = 'open'
      clock.advance(1)
      await until(() => expect(server.knocks).toBe(at + 2))
    }
    await until(() => expect(events.at(-1)).toBe('connected'))
    clock.advance(60_000)
    server.drop('rudely')
    await until(() => expect(events).toHaveLength(8))
    clock.advance(250)
    await until(() => expect(server.knocks).toBe(7))
  })

  test.each([
    [0, 0],
    [255, 499],
  ])('waits between zero and the whole back-off at random (%s)', async (byte, waitMs) => {
    const { server, clock, events } = await open({ backOffFromMs: 500 }, { bytes: [byte, byte] })
    await until(() => expect(events).toEqual(['connected']))
    server.drop('politely')
    await until(() => expect(events).toHaveLength(2))
    if (waitMs > 0) clock.advance(waitMs - 1)
    expect(server.knocks).toBe(1)
    clock.advance(2)
    await until(() => expect(server.knocks).toBe(2))
  })

  test('requests a reply when it is quiet, and is closed when no reply comes', async () => {
    const { server, clock, talkers, events } = await open({ silenceMs: 1_000, betweenSendsMs: 0 })
    await until(() => expect(events).toEqual(['connected']))
    for (let n = 1; n <= 3; n += 1) {
      clock.advance(500)
      expect(talkers[0]?.probes).toBe(n)
      await until(() => expect(talkers[0]?.answers).toBe(n))
    }
    server.freeze()
    clock.advance(999)
    expect(events).toEqual(['connected'])
    clock.advance(1)
    expect(events).toEqual(['connected', 'disconnected: nothing was heard for 1000 ms'])
  })

  test('does not take an unreadable message for a reply', async () => {
    const { server, clock, talkers, events } = await open({ silenceMs: 1_000 })
    await until(() => expect(events).toEqual(['connected']))
    clock.advance(400)
    server.sayToAll('bad')
    await until(() => expect(events).toHaveLength(2))
    clock.advance(100)
    expect(talkers[0]?.probes).toBe(1)
  })

  test('cuts a dead connection even when the clock jumps back', async () => {
    let offset = 0
    const clock = new FakeClock(1_000_000)
    const skewed = Object.assign(clock, { now: () => (FakeClock.prototype.now.call(clock) + offset) as never })
    const { server, events } = await open({ silenceMs: 1_000 }, { clock: skewed })
    await until(() => expect(events).toEqual(['connected']))
    server.freeze()
    offset = -500_000
    clock.advance(2_500)
    expect(events.at(1)).toContain('nothing was heard')
  })

  test('cuts a connection whose peer does not answer pings', async () => {
    const dumb = await handshakeOnly()
    const { clock, events } = await open({ pingEveryMs: 1_000, silenceMs: 600_000 }, { url: dumb })
    await until(() => expect(events).toEqual(['connected']))
    clock.advance(1_000)
    expect(events).toEqual(['connected', 'disconnected: a ping was not answered'])
  })

  test('handles messages of a replacement connection only once it is active, and does not close the old connection before', async () => {
    const { server, clock, socket, texts, events } = await open({ overlapMs: 2_000 })
    await until(() => expect(events).toEqual(['connected']))
    socket.renew()
    socket.renew()
    await until(() => expect(socket.conversations()).toHaveLength(2))
    server.sayToAll('both hear it')
    await until(() => expect(texts).toEqual(['both hear it']))
    clock.advance(2_000)
    await until(() => expect(server.clients).toBe(1))
    expect(texts).toEqual(['both hear it', 'both hear it'])
    expect(events).toEqual(['connected'])
    expect(server.violations).toEqual([])
  })

  test('takes over at once when the old connection dies during the replacement', async () => {
    const { server, socket, texts, events, talkers } = await open({})
    await until(() => expect(events).toEqual(['connected']))
    socket.renew()
    await until(() => expect(socket.conversations()).toHaveLength(2))
    talkers[0]?.line.fail('it is broken')
    await until(() => expect(events).toEqual(['connected', 'disconnected: it is broken', 'connected']))
    server.sayToAll('more')
    await until(() => expect(texts).toEqual(['more']))
    expect(server.knocks).toBe(2)
  })

  test('reports an unreadable message and stays open', async () => {
    const { server, texts, events } = await open({})
    await until(() => expect(events).toEqual(['connected']))
    server.sayToAll('bad')
    server.sayToAll('good')
    await until(() => expect(texts).toEqual(['good']))
    expect(events).toEqual(['connected', 'unreadable: it is bad'])
  })

  test.each(['ws://127.0.0.1:1/?token=s3cret', 'ws://no.such.host.invalid/?token=s3cret', 'http:/\\s3cret', 's3cret'])(
    'reports an address that does not work (%s) without its key',
    async (url) => {
      const { events } = await open({ openWithinMs: 500 }, { url, clock: systemClockAsFake() })
      await until(() => expect(events.length).toBeGreaterThan(0))
      expect(events[0]).toMatch(/^disconnected: /)
      expect(events.join()).not.toContain('s3cret')
    },
  )
})

/** Gives the real clock the interface of the fake clock, for tests that wait for the network. */
function systemClockAsFake(): FakeClock {
  return Object.assign(new FakeClock(0), systemClock)
}

/** A server that completes the handshake and then sends nothing, not even a pong. */
async function handshakeOnly(): Promise<string> {
  const { createHash } = await import('node:crypto')
  const server: Server = createServer((wire) => {
    wire.on('error', () => undefined)
    wire.once('data', (request) => {
      const key = /sec-websocket-key: (\S+)/i.exec(request.toString())?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      wire.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}
