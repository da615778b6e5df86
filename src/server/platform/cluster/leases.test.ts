import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '#core/time/instant.ts'
import { heartbeat, type Fence, holds, releaseLeases, takeLeases } from '#server/platform/cluster/lease.queries.ts'
import { oneAtATime } from '#server/platform/cluster/lease-request.ts'
import { createLeases, type Leases } from '#server/platform/cluster/leases.ts'
import { onOtherSessions } from '#test/support/one-session.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const running: Node[] = []
afterEach(async () => {
  for (const { leases } of running.splice(0)) await leases.stop()
})

interface Node {
  ctx: TestContext
  leases: Leases
  fences: Fence[]
  lost: string[]
  /** Advances the clock by `BEAT_MS` and waits for the heartbeat and the work after it. */
  beat(): Promise<void>
}

/** Longer than any test: leases expire only when a test makes them. */
const LEASE_MS = 60_000
const BEAT_MS = 100

function node(run: string, { names = ['ticks'], place = run, role = 'settle' } = {}): Node {
  const ctx = createTestContext(database.db)
  const leases = createLeases(ctx, { run, name: place, roles: [role] }, { leaseMs: LEASE_MS, beatMs: BEAT_MS })
  const fences: Fence[] = []
  const lost: string[] = []
  leases.register({
    names,
    role,
    onAcquired: (fence) => void fences.push(fence),
    onLost: (name) => void lost.push(name),
  })
  const beat = async () => {
    await leases.settled()
    const before = leases.lastReplyAt()
    ctx.clock.advance(BEAT_MS)
    await vi.waitFor(() => expect(leases.lastReplyAt()).not.toBe(before), { interval: 2 })
    // Waits for the work after the reply: listing live servers and taking free leases.
    await leases.settled()
  }
  const testNode = { ctx, leases, fences, lost, beat }
  running.push(testNode)
  return testNode
}

/** Makes a server look silent for the duration of a lease. */
async function fallSilent(run: string): Promise<void> {
  const { db } = database
  await db
    .updateTable('lease')
    .set((eb) => ({ until_ms: eb('until_ms', '-', BigInt(LEASE_MS)) }))
    .where('owner', '=', run)
    .execute()
  await db
    .updateTable('server_node')
    .set((eb) => ({ seen_ms: eb('seen_ms', '-', BigInt(LEASE_MS)) }))
    .where('run', '=', run)
    .execute()
}

const until = (isSo: () => Promise<boolean> | boolean) =>
  vi.waitFor(async () => expect(await isSo()).toBe(true), { interval: 20 })

/**
 * The number of statements waiting for a row lock. Only the owner of the database may see for what other sessions wait.
 */
function waitingForLocks(): Promise<number> {
  return database.asOwner(async (db) => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  })
}

it('A2: a server releases its leases to another server while its clock is untrusted', async () => {
  const first = node('a')
  const second = node('b')
  await first.leases.start()
  await second.leases.start()
  expect(first.leases.held()).toEqual(['ticks'])
  first.ctx.clock.trusted = false
  await first.beat()
  await vi.waitFor(() => expect(first.lost).toEqual(['ticks']))
  await vi.waitFor(async () => {
    await second.beat()
    expect(second.leases.held()).toEqual(['ticks'])
  })
  await first.beat()
  expect(first.leases.held()).toEqual([])
  first.ctx.clock.trusted = true
  await first.beat()
  expect(second.leases.held()).toEqual(['ticks'])
})

it("A2: a server takes over the leases of a lost server after the database's clock was set back by an hour", async () => {
  const lost = node('a')
  const next = node('b')
  await lost.leases.start()
  await lost.leases.settled()
  expect(lost.leases.held()).toEqual(['ticks'])
  // Changes the rows as if the lost server had written them before the database's clock was set back by an hour.
  const { db } = database
  await db
    .updateTable('lease')
    .set((eb) => ({ until_ms: eb('until_ms', '+', BigInt(HOUR_MS)) }))
    .execute()
  await db
    .updateTable('server_node')
    .set((eb) => ({ seen_ms: eb('seen_ms', '+', BigInt(HOUR_MS)) }))
    .execute()
  await next.leases.start()
  await next.leases.settled()
  expect(next.leases.held()).toEqual(['ticks'])
  expect(next.leases.peers()).toEqual([])
})

describe('a lease', () => {
  it('belongs to one server until this server is silent; the next holder has a higher token', async () => {
    const first = node('a')
    await first.leases.start()
    expect(first.fences).toEqual([{ lease: 'ticks', token: 1n }])
    const second = node('b')
    await second.leases.start()
    await second.beat()
    expect(second.leases.fenceOf('ticks')).toBeNull()

    // The first server is suspended: its clock stands still, so it sends no heartbeat and does not notice that its
    // lease has expired.
    await fallSilent('a')
    await second.beat()
    expect(second.fences).toHaveLength(1)
    expect(second.leases.fenceOf('ticks')).toMatchObject({ lease: 'ticks', token: 2n })
    expect(first.leases.fenceOf('ticks')).not.toBeNull()

    // The first server resumes, and notices first that time has passed.
    first.ctx.clock.jump(LEASE_MS)
    expect(first.leases.fenceOf('ticks')).toBeNull()
    await until(() => first.lost.length === 1)
    await first.beat()
    expect(first.leases.fenceOf('ticks')).toBeNull()
    expect(second.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
  })

  it('a server releases its lease when it stops, and another server takes the lease at its next heartbeat', async () => {
    const first = node('a')
    const second = node('b')
    await first.leases.start()
    await second.leases.start()
    await first.leases.stop()
    expect(first.lost).toEqual(['ticks'])
    await second.beat()
    expect(second.fences).toEqual([{ lease: 'ticks', token: 2n }])
  })

  it('a server started on the host and port of a crashed server takes the lease of the crashed server at once', async () => {
    const dead = node('a', { place: 'host:3000' })
    await dead.leases.start()
    const next = node('b', { place: 'host:3000' })
    await next.leases.start()
    expect(next.fences).toEqual([{ lease: 'ticks', token: 2n }])
    // If the first server is alive after all, it loses the lease and does not take it back.
    await dead.beat()
    expect(dead.lost).toEqual(['ticks'])
    await dead.beat()
    expect(dead.leases.fenceOf('ticks')).toBeNull()
    expect(next.leases.fenceOf('ticks')).not.toBeNull()
  })

  it('the live servers share the leases, and redistribute them when a server joins or leaves', async () => {
    const names = ['s/0', 's/1', 's/2', 's/3']
    const first = node('a', { names })
    const second = node('b', { names })
    const held = ({ leases }: Node) => names.filter((name) => leases.fenceOf(name) !== null)
    await first.leases.start()
    expect(held(first)).toEqual(names)
    await second.leases.start()
    await until(async () => {
      await first.beat()
      await second.beat()
      return held(second).length === 2
    })
    expect(held(first)).toHaveLength(2)
    expect([...held(first), ...held(second)].toSorted()).toEqual(names)
    await second.leases.stop()
    await until(async () => {
      await first.beat()
      return held(first).length === 4
    })
  })

  it('a server that cannot start the work of a lease releases it', async () => {
    const ctx = createTestContext(database.db)
    const leases = createLeases(ctx, { run: 'a', name: 'a', roles: ['settle'] }, { leaseMs: LEASE_MS, beatMs: BEAT_MS })
    leases.register(oneAtATime('jobs', 'settle', () => Promise.reject(new Error('no'))))
    await leases.start()
    await vi.waitFor(async () => {
      expect(leases.fenceOf('jobs')).toBeNull()
      const row = await ctx.db.selectFrom('lease').select('until_ms').where('name', '=', 'jobs').executeTakeFirst()
      expect(row?.until_ms).toBe(0n)
    })
    await leases.stop()
  })

  it('a server takes an expired lease again with a higher token, even if only its own clock jumped', async () => {
    const only = node('a')
    await only.leases.start()
    // Only this server's clock jumps by the duration of a lease. In the database the lease is still valid.
    only.ctx.clock.jump(LEASE_MS)
    await only.beat()
    expect(only.lost).toEqual(['ticks'])
    await until(async () => {
      await only.beat()
      return only.fences.length === 2
    })
    expect(only.fences[1]).toEqual({ lease: 'ticks', token: 2n })
    await only.beat()
    expect(only.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
    expect(only.lost).toHaveLength(1)
  })

  it('a server does not prolong a lease that it considers expired, even if it does not release the lease', async () => {
    const first = node('a')
    await first.leases.start()
    const renewedFences = await heartbeat(database.db, { run: 'a', name: 'a', roles: [], isOnBus: false }, [], LEASE_MS)
    expect(renewedFences).toEqual([])
    await fallSilent('a')
    const second = node('b')
    await second.leases.start()
    await second.beat()
    expect(second.fences).toEqual([{ lease: 'ticks', token: 2n }])
    await releaseLeases(database.db, 'b', [{ lease: 'ticks', token: 1n }])
    await second.beat()
    expect(second.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
  })

  it('cannot be released by another server', async () => {
    const first = node('a')
    await first.leases.start()
    await releaseLeases(database.db, 'b', [{ lease: 'ticks', token: 1n }])
    await first.beat()
    expect(first.leases.fenceOf('ticks')).not.toBeNull()
  })

  // The embedded database has only one session.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'is prolonged during a write under it, and changes hands only afterwards',
    async () => {
      const owner = node('a')
      await owner.leases.start()
      const fence = { lease: 'ticks', token: 1n }
      const { db } = database
      const me = { run: 'a', name: 'a', roles: [], isOnBus: false }
      const fences: Fence[] = []
      await db.transaction().execute((writing) =>
        onOtherSessions(async () => {
          await sql`select from ${holds(fence)} as f`.execute(writing)
          expect(await heartbeat(db, me, [fence], LEASE_MS)).toEqual([fence])
          await fallSilent('a')
          const taking = takeLeases(db, { run: 'b', name: 'b' }, ['ticks'], { leaseMs: LEASE_MS, isFirst: false })
          void taking.then((taken) => fences.push(...taken))
          await until(async () => (await waitingForLocks()) === 1)
          expect(fences).toEqual([])
        }),
      )
      await until(() => fences.length === 1)
      expect(fences).toEqual([{ lease: 'ticks', token: 2n }])
    },
  )
})
