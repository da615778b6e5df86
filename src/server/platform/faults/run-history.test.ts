import { describe, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { downtimes, runEnds } from '#server/platform/faults/run-history.ts'
import { listRuns, noteRun, noteStop } from '#server/platform/faults/server-run.queries.ts'
import { createTestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const NOW = instant(1_000_000)

function run(startedAt: number, seenAt: number, stoppedAt: number | null = null) {
  const stopped = stoppedAt === null ? null : instant(stoppedAt)
  return {
    run: `r${startedAt}`,
    name: 'one',
    startedAt: instant(startedAt),
    seenAt: instant(seenAt),
    stoppedAt: stopped,
  }
}

describe('A21: the end of server runs', () => {
  it('A21: distinguishes a crash, a normal stop and a running server', () => {
    const runs = [run(1_000, 2_000), run(3_000, 4_000, 4_500), run(5_000, 999_000)]
    expect(runEnds(runs, NOW)).toEqual([
      { at: 4_500, name: 'one', run: 'r3000', how: 'stop' },
      { at: 2_000, name: 'one', run: 'r1000', how: 'crash' },
    ])
  })

  it('A21: finds the times without any server, even if runs overlap', () => {
    const runs = [run(1_000, 9_000), run(2_000, 3_000, 3_000), run(12_000, 13_000, 13_500), run(20_000, 999_999)]
    expect(downtimes(runs, NOW)).toEqual([
      { from: 13_500, until: 20_000, how: 'stop' },
      { from: 9_000, until: 12_000, how: 'crash' },
    ])
  })

  it('A21: finds no downtime while one of several servers runs', () => {
    expect(downtimes([run(1_000, 999_999), run(2_000, 3_000), run(6_000, 999_999)], NOW)).toEqual([])
  })
})

describe('A21: the stored server runs', () => {
  const database = useTestDatabase()

  it('A21: contain the start, the time when the server was last seen, and a normal stop', async () => {
    const ctx = createTestContext(database.db)
    const [first, second, third] = [ctx.newId(), ctx.newId(), ctx.newId()]
    const at = (ms: number) => instant(ms)
    await noteRun(ctx.db, { run: first, name: 'old', startedAt: at(100), now: at(100), isReady: true })
    await noteRun(ctx.db, { run: second, name: 'a', startedAt: at(200), now: at(200), isReady: false })
    await noteRun(ctx.db, { run: second, name: 'a', startedAt: at(200), now: at(900), isReady: true })
    await noteRun(ctx.db, { run: third, name: 'b', startedAt: at(950), now: at(960), isReady: false })
    await noteStop(ctx.db, third, at(970))
    expect(await listRuns(ctx.db, at(901))).toEqual([
      { run: second, name: 'a', startedAt: 200, seenAt: 900, stoppedAt: null },
      { run: third, name: 'b', startedAt: 950, seenAt: 970, stoppedAt: 970 },
    ])
  })

  it('A21: return the time of the database', async () => {
    const ctx = createTestContext(database.db)
    const before = Date.now()
    const databaseNow = await noteRun(ctx.db, { run: ctx.newId(), name: 'a', startedAt: at0, now: at0, isReady: true })
    expect(Math.abs(databaseNow - before)).toBeLessThan(60_000)
  })
})

const at0 = instant(0)
