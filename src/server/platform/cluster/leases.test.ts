import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HOUR_MS } from '#core/time/instant.ts'
import { beat, type Fence, holds, releaseLeases, takeLeases } from '#server/platform/cluster/lease.queries.ts'
import { createLeases, type Leases, oneAtATime } from '#server/platform/cluster/leases.ts'
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
  taken: Fence[]
  lost: string[]
  /** One beat, as after a second. */
  beat(): Promise<void>
}

/** Longer than any test: time passes in the database only where a test says so. */
const LEASE_MS = 60_000
const BEAT_MS = 100

function node(run: string, { names = ['ticks'], place = run, role = 'settle' } = {}): Node {
  const ctx = createTestContext(database.db)
  const leases = createLeases(ctx, { run, name: place, roles: [role] }, { leaseMs: LEASE_MS, beatMs: BEAT_MS })
  const taken: Fence[] = []
  const lost: string[] = []
  leases.want({ names, role, onTaken: (fence) => void taken.push(fence), onLost: (name) => void lost.push(name) })
  const beat = async () => {
    await leases.settled()
    const before = leases.heardAt()
    ctx.clock.advance(BEAT_MS)
    await vi.waitFor(() => expect(leases.heardAt()).not.toBe(before), { timeout: 5_000, interval: 2 })
    // What follows the answer: who is there, and what is free.
    await leases.settled()
  }
  const made = { ctx, leases, taken, lost, beat }
  running.push(made)
  return made
}

/** As if a server had said nothing for as long as a lease lasts. */
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
  vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 10_000, interval: 20 })

/** Statements that wait until another transaction lets go of a row. Only the owner is told what others wait for. */
function waitingForLocks(): Promise<number> {
  return database.asOwner(async (db) => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length
  })
}

it('A2: leaves what it holds to another server while its own clock cannot be relied on', async () => {
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

it('A2: takes over from a server that was lost before the clock of the database was put back by an hour', async () => {
  const lost = node('a')
  const next = node('b')
  await lost.leases.start()
  await lost.leases.settled()
  expect(lost.leases.held()).toEqual(['ticks'])
  // As the lost one left it, by a clock that was ahead.
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
  expect(next.leases.others()).toEqual([])
})

describe('a lease', () => {
  it('is one server’s, until that one is silent; the next one has a higher token', async () => {
    const first = node('a')
    await first.leases.start()
    expect(first.taken).toEqual([{ lease: 'ticks', token: 1n }])
    const second = node('b')
    await second.leases.start()
    await second.beat()
    expect(second.leases.fenceOf('ticks')).toBeNull()

    // The first one is stopped in its tracks: its clock stands still, so it beats no more and does not know.
    await fallSilent('a')
    await second.beat()
    expect(second.taken).toHaveLength(1)
    expect(second.leases.fenceOf('ticks')).toMatchObject({ lease: 'ticks', token: 2n })
    expect(first.leases.fenceOf('ticks')).not.toBeNull()

    // It goes on, and the first thing it sees is that time has passed.
    first.ctx.clock.jump(LEASE_MS)
    expect(first.leases.fenceOf('ticks')).toBeNull()
    await until(() => first.lost.length === 1)
    await first.beat()
    expect(first.leases.fenceOf('ticks')).toBeNull()
    expect(second.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
  })

  it('is given back at the end, and taken by another at its next beat', async () => {
    const first = node('a')
    const second = node('b')
    await first.leases.start()
    await second.leases.start()
    await first.leases.stop()
    expect(first.lost).toEqual(['ticks'])
    await second.beat()
    expect(second.taken).toEqual([{ lease: 'ticks', token: 2n }])
  })

  it('is taken at once by the server that was started in the place of one that died', async () => {
    const dead = node('a', { place: 'host:3000' })
    await dead.leases.start()
    const next = node('b', { place: 'host:3000' })
    await next.leases.start()
    expect(next.taken).toEqual([{ lease: 'ticks', token: 2n }])
    // Should the other one live after all, nobody takes from anybody any more.
    await dead.beat()
    expect(dead.lost).toEqual(['ticks'])
    await dead.beat()
    expect(dead.leases.fenceOf('ticks')).toBeNull()
    expect(next.leases.fenceOf('ticks')).not.toBeNull()
  })

  it('is spread over those that are there, and again when one comes or goes', async () => {
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

  it('that cannot begin its work is given back', async () => {
    const ctx = createTestContext(database.db)
    const leases = createLeases(ctx, { run: 'a', name: 'a', roles: ['settle'] }, { leaseMs: LEASE_MS, beatMs: BEAT_MS })
    leases.want(oneAtATime('jobs', 'settle', () => Promise.reject(new Error('no'))))
    await leases.start()
    await vi.waitFor(async () => {
      expect(leases.fenceOf('jobs')).toBeNull()
      const row = await ctx.db.selectFrom('lease').select('until_ms').where('name', '=', 'jobs').executeTakeFirst()
      expect(row?.until_ms).toBe(0n)
    })
    await leases.stop()
  })

  it('that ran out by our clock alone is taken again, with a higher token, and kept', async () => {
    const only = node('a')
    await only.leases.start()
    // The database did not answer for that long, but counts from when it was asked the last time.
    only.ctx.clock.jump(LEASE_MS)
    await only.beat()
    expect(only.lost).toEqual(['ticks'])
    await until(async () => {
      await only.beat()
      return only.taken.length === 2
    })
    expect(only.taken[1]).toEqual({ lease: 'ticks', token: 2n })
    await only.beat()
    expect(only.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
    expect(only.lost).toHaveLength(1)
  })

  it('is not prolonged by a server that thinks it has run out, even if it cannot say so', async () => {
    const first = node('a')
    await first.leases.start()
    const kept = await beat(database.db, { run: 'a', name: 'a', roles: [], isOnBus: false }, [], LEASE_MS)
    expect(kept).toEqual([])
    await fallSilent('a')
    const second = node('b')
    await second.leases.start()
    await second.beat()
    expect(second.taken).toEqual([{ lease: 'ticks', token: 2n }])
    await releaseLeases(database.db, 'b', [{ lease: 'ticks', token: 1n }])
    await second.beat()
    expect(second.leases.fenceOf('ticks')).toMatchObject({ token: 2n })
  })

  it('of another server cannot be given back', async () => {
    const first = node('a')
    await first.leases.start()
    await releaseLeases(database.db, 'b', [{ lease: 'ticks', token: 1n }])
    await first.beat()
    expect(first.leases.fenceOf('ticks')).not.toBeNull()
  })

  // The embedded database has but one session.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'is prolonged while something is written under it, and changes hands only after that',
    async () => {
      const owner = node('a')
      await owner.leases.start()
      const fence = { lease: 'ticks', token: 1n }
      const { db } = database
      const me = { run: 'a', name: 'a', roles: [], isOnBus: false }
      const taken: Fence[] = []
      await db.transaction().execute((writing) =>
        onOtherSessions(async () => {
          await sql`select from ${holds(fence)} as f`.execute(writing)
          expect(await beat(db, me, [fence], LEASE_MS)).toEqual([fence])
          await fallSilent('a')
          const taking = takeLeases(db, { run: 'b', name: 'b' }, ['ticks'], { leaseMs: LEASE_MS, isFirst: false })
          void taking.then((fences) => taken.push(...fences))
          await until(async () => (await waitingForLocks()) === 1)
          expect(taken).toEqual([])
        }),
      )
      await until(() => taken.length === 1)
      expect(taken).toEqual([{ lease: 'ticks', token: 2n }])
    },
  )
})
