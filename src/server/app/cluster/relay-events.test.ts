import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Bus, Topic } from '#server/platform/cluster/bus.ts'
import { type EventRelay, relayEvents } from '#server/app/cluster/relay-events.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let servers: Server[]

interface Server {
  ctx: TestContext
  relay: EventRelay
  /** The test sets and reads these values. */
  state: { reloads: number; isDeaf: boolean; isAlone: boolean }
  gap(): void
}

/** Unless the connection is cut, each server receives the messages of all other servers, but not its own messages. */
let isCut = false

function server(): Server {
  const ctx = createTestContext(database.db)
  const listeners = new Set<(body: unknown) => void>()
  const gaps = new Set<() => void>()
  const bus: Bus & { hear(body: unknown): void } = {
    publish(topic: Topic, body) {
      if (isCut || topic !== 'news') return
      const text = JSON.stringify(body)
      for (const other of lines) if (other !== bus) other.hear(JSON.parse(text))
    },
    hear(body) {
      for (const listener of listeners) listener(body)
    },
    onMessage(_topic, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onGap(listener) {
      gaps.add(listener)
      return () => gaps.delete(listener)
    },
    isConnected: () => !isCut,
    counts: () => ({ sent: 0, received: 0, gaps: 0, refused: 0 }),
    stop: () => Promise.resolve(),
  }
  lines.push(bus)
  const state = { reloads: 0, isDeaf: false, isAlone: false }
  const testServer: Server = {
    ctx,
    state,
    gap: () => {
      for (const listener of gaps) listener()
    },
    relay: relayEvents({
      ctx,
      bus,
      hasOthers: () => !state.isAlone,
      hasDisconnectedNode: () => state.isDeaf,
      reload: () => {
        state.reloads += 1
        return Promise.resolve()
      },
    }),
  }
  servers.push(testServer)
  return testServer
}
let lines: (Bus & { hear(body: unknown): void })[] = []

beforeEach(() => {
  servers = []
  lines = []
  isCut = false
})
afterEach(async () => {
  for (const { relay } of servers) await relay.stop()
})

const kinds = ({ ctx }: Server) => ctx.announced.map(({ kind }) => kind)

describe('the relay of events between servers', () => {
  it('sends each event once, a batch per message, and never relays a received event', async () => {
    const [one, other, third] = [server(), server(), server()]
    const said: DomainEvent[] = [
      { kind: 'balance-changed', userId: 'u' },
      { kind: 'session-ended', userId: 'u', tokenHash: new Uint8Array([1, 2, 3]) },
    ]
    for (const announcement of said) one.ctx.publish(announcement)
    await vi.waitFor(() => expect(other.ctx.announced).toEqual(said))
    expect(third.ctx.announced).toEqual(said)
    expect(one.ctx.announced).toEqual(said)
  })

  it('reloads settings and markets before it publishes their change', async () => {
    const [one, other] = [server(), server()]
    let readsThen = -1
    other.ctx.subscribe(() => {
      readsThen = other.state.reloads
    })
    one.ctx.publish({ kind: 'markets-changed' })
    await vi.waitFor(() => expect(kinds(other)).toEqual(['markets-changed']))
    expect(readsThen).toBe(1)
    expect(one.state.reloads).toBe(0)
  })

  it('reloads everything and publishes "events-missed" after a gap', async () => {
    const [one, other] = [server(), server()]
    isCut = true
    one.ctx.publish({ kind: 'settings-changed' })
    // The relay sends its batch in a microtask, after the current code has published all its events.
    await Promise.resolve()
    isCut = false
    other.gap()
    await vi.waitFor(() => expect(kinds(other)).toEqual(['events-missed']))
    expect(other.state.reloads).toBe(1)
    expect(kinds(one)).toEqual(['settings-changed'])
  })

  it('reloads every 15 s without other servers, because a command may have changed the database', async () => {
    const only = server()
    only.state.isAlone = true
    only.ctx.clock.advance(15_000)
    await vi.waitFor(() => expect(only.state.reloads).toBe(1))
  })

  it('reloads every 2 s while a node is disconnected, and every 15 s otherwise', async () => {
    const [one] = [server(), server()]
    one.ctx.clock.advance(15_000)
    await vi.waitFor(() => expect(one.state.reloads).toBe(1))
    expect(kinds(one)).toEqual([])
    one.state.isDeaf = true
    await vi.waitFor(() => {
      one.ctx.clock.advance(2_000)
      expect(kinds(one)).toContain('events-missed')
    })
  })
})
