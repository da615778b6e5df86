import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Bus } from '#server/platform/cluster/bus.ts'
import { NatsBus } from '#server/platform/cluster/nats-bus.ts'
import { type NatsServer, startNatsServer } from '#test/support/nats-server.ts'
import { quiet } from '#test/support/quiet-log.ts'

const secret = new Uint8Array(32).fill(1)
const open: Bus[] = []

/** Test environments with PostgreSQL also have NATS. */
describe.skipIf(!process.env['TEST_DATABASE_URL'])('the bus over NATS', () => {
  let nats: NatsServer
  beforeAll(async () => {
    nats = await startNatsServer()
  })
  afterAll(() => nats.stop())
  afterEach(async () => {
    for (const bus of open.splice(0)) await bus.stop()
  })

  async function join(run: string, key = secret) {
    const bus = new NatsBus({ url: nats.url, log: quiet, run, secret: key })
    open.push(bus)
    const messages: unknown[] = []
    let gaps = 0
    bus.onMessage('news', (body) => messages.push(body))
    bus.onGap(() => {
      gaps += 1
    })
    await vi.waitFor(() => expect(bus.isConnected()).toBe(true))
    return { bus, messages, gaps: () => gaps }
  }

  it('delivers messages of a server in order to the other servers, but not to a server with another key', async () => {
    const one = await join('one')
    const other = await join('other')
    const stranger = await join('stranger', new Uint8Array(32).fill(2))
    for (const nth of [1, 2, 3]) one.bus.publish('news', { nth })
    await vi.waitFor(() => expect(other.messages).toEqual([{ nth: 1 }, { nth: 2 }, { nth: 3 }]))
    expect(one.messages).toEqual([])
    expect(stranger.messages).toEqual([])
    expect(other.bus.counts()).toMatchObject({ received: 3, refused: 0 })
  })

  it('stops while NATS is down', async () => {
    const { bus } = await join('one')
    const port = Number(new URL(nats.url).port)
    await nats.stop()
    await vi.waitFor(() => expect(bus.isConnected()).toBe(false))
    try {
      await bus.stop()
    } finally {
      nats = await startNatsServer(port)
    }
  })

  it('reports a gap when NATS is back and another gap for a message that could not be sent, and continues', async () => {
    const one = await join('one')
    const other = await join('other')
    one.bus.publish('news', 'before')
    await vi.waitFor(() => expect(other.messages).toEqual(['before']))
    const gaps = other.gaps()

    const port = Number(new URL(nats.url).port)
    await nats.stop()
    await vi.waitFor(() => expect(one.bus.isConnected() || other.bus.isConnected()).toBe(false))
    one.bus.publish('news', 'lost')
    nats = await startNatsServer(port)
    await vi.waitFor(() => expect(one.bus.isConnected() && other.bus.isConnected()).toBe(true))
    expect(other.gaps()).toBe(gaps + 1)

    one.bus.publish('news', 'after')
    await vi.waitFor(() => expect(other.messages).toEqual(['before', 'after']))
    expect(other.gaps()).toBe(gaps + 2)
  })
})
