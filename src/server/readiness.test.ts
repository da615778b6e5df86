import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Instant } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'
import { createReadiness, type Readiness } from '#server/readiness.ts'
import { createTestContext, type TestContext } from '#testing/test-context.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let readiness: Readiness | undefined
afterEach(() => readiness?.stop())

function start(isThere: () => boolean = () => true) {
  const ctx = createTestContext(database.db)
  const state: { isAtWork: boolean; heardAt: Instant | null } = { isAtWork: true, heardAt: ctx.now() }
  const db = new Proxy(database.db, {
    get(target, name: keyof Db) {
      if (!isThere()) throw new Error('the database is away')
      const value: unknown = target[name]
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  readiness = createReadiness({
    ctx: { ...ctx, db },
    isAtWork: () => state.isAtWork,
    pricesHeardAt: () => state.heardAt,
  })
  readiness.start()
  return { ctx, state, readiness }
}

const hearsPrices = ({ ctx, state }: { ctx: TestContext; state: { heardAt: Instant | null } }) => {
  ctx.clock.advance(1_000)
  state.heardAt = ctx.now()
}

describe('a server is given work', () => {
  it('while it takes orders, hears prices and is not stopping', () => {
    const server = start()
    expect(server.readiness.reason()).toBeNull()
    server.state.isAtWork = false
    expect(server.readiness.reason()).toBe('not at work')
    server.state.isAtWork = true
    server.state.heardAt = null
    expect(server.readiness.reason()).toBe('no prices')
    server.state.heardAt = server.ctx.now()
    expect(server.readiness.reason()).toBeNull()
    server.readiness.drain()
    expect(server.readiness.reason()).toBe('stopping')
  })

  it('not when the prices have been silent for long', async () => {
    const server = start()
    await vi.waitFor(() => {
      server.ctx.clock.advance(1_000)
      expect(server.readiness.reason()).toBe('no prices')
    })
    hearsPrices(server)
    await vi.waitFor(() => {
      hearsPrices(server)
      expect(server.readiness.reason()).toBeNull()
    })
  })

  it('not while the database does not answer, and again when it does', async () => {
    let isThere = false
    const server = start(() => isThere)
    await vi.waitFor(() => {
      hearsPrices(server)
      expect(server.readiness.reason()).toBe('no database')
    })
    isThere = true
    await vi.waitFor(() => {
      hearsPrices(server)
      expect(server.readiness.reason()).toBeNull()
    })
  })
})
