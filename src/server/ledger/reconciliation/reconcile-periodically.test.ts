import { expect, it, vi } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import { reconcilePeriodically } from '#server/ledger/reconciliation/reconcile-periodically.ts'
import { createTestContext } from '#test/support/test-context.ts'

const CLEAN: LedgerReport = {
  clean: true,
  users: 0,
  transfers: 0,
  openOrders: 0,
  sumOfAll: 0n,
  house: new Map(),
  accounts: new Map(),
  unknownAccounts: [],
  mismatches: [],
  sums: null,
}

it.each([
  { tookMs: 0, restMs: MINUTE_MS },
  { tookMs: 3 * SECOND_MS, restMs: MINUTE_MS },
  { tookMs: 10 * SECOND_MS, restMs: 200 * SECOND_MS },
  { tookMs: 43 * SECOND_MS, restMs: 5 * MINUTE_MS },
  { tookMs: SECOND_MS, everyMs: 60 * MINUTE_MS, restMs: 60 * MINUTE_MS },
])('starts the next check $restMs ms after one that took $tookMs ms', async (row) => {
  const { tookMs, restMs, everyMs = MINUTE_MS } = row
  const ctx = createTestContext({} as Db)
  const begun: number[] = []
  const reports: LedgerReport[] = []
  const stop = reconcilePeriodically({
    ctx,
    everyMs,
    check: async () => {
      begun.push(ctx.now())
      await Promise.resolve()
      ctx.clock.jump(tookMs)
      return CLEAN
    },
    recount: () => Promise.resolve(null),
    onReport: (report) => void reports.push(report),
  })
  const first = ctx.now() + everyMs
  ctx.clock.advance(everyMs)
  await vi.waitFor(() => expect(ctx.clock.pendingTimers).toBe(1))
  ctx.clock.advance(restMs - 1)
  expect(begun).toEqual([first])
  ctx.clock.advance(1)
  await vi.waitFor(() => expect(ctx.clock.pendingTimers).toBe(1))
  expect(begun).toEqual([first, first + tookMs + restMs])
  expect(reports).toHaveLength(2)
  await stop()
})

it('runs recount portions between two checks, each after the pause of the previous portion', async () => {
  const ctx = createTestContext({} as Db)
  const [startedAt, happened] = [ctx.now(), [] as [string, number][]]
  const rests = [null, 10 * SECOND_MS, 20 * SECOND_MS, 0, null, 90 * SECOND_MS]
  const stop = reconcilePeriodically({
    ctx,
    everyMs: MINUTE_MS,
    check: () => {
      happened.push(['check', (ctx.now() - startedAt) / SECOND_MS])
      return Promise.resolve(CLEAN)
    },
    recount: () => {
      happened.push(['portion', (ctx.now() - startedAt) / SECOND_MS])
      const restMs = rests.shift()
      return restMs === undefined ? Promise.reject(new Error('the database is gone')) : Promise.resolve(restMs)
    },
    onReport: () => {},
  })
  for (let second = 0; second < 300; second += 1) {
    await vi.waitFor(() => expect(ctx.clock.pendingTimers).toBe(1))
    ctx.clock.advance(SECOND_MS)
  }
  await vi.waitFor(() => expect(ctx.clock.pendingTimers).toBe(1))
  expect(happened).toEqual([
    ['check', 60],
    ['portion', 60],
    ['check', 120],
    ['portion', 120],
    ['portion', 130],
    ['portion', 150],
    ['portion', 150],
    // The portion at 180 s requests a pause of 90 s. The check at 240 s does not wait for the end of this pause.
    ['check', 180],
    ['portion', 180],
    ['check', 240],
    ['portion', 240],
    ['check', 300],
    ['portion', 300],
  ])
  expect(ctx.lines).toMatchObject([{ level: 'warn' }, { level: 'warn' }])
  await stop()
  expect(ctx.clock.pendingTimers).toBe(0)
})

it('a stop ends the pause between two portions immediately', async () => {
  const ctx = createTestContext({} as Db)
  let portions = 0
  const stop = reconcilePeriodically({
    ctx,
    everyMs: MINUTE_MS,
    check: () => Promise.resolve(CLEAN),
    recount: () => {
      portions += 1
      return Promise.resolve(10 * SECOND_MS)
    },
    onReport: () => {},
  })
  ctx.clock.advance(MINUTE_MS)
  await vi.waitFor(() => expect(ctx.clock.pendingTimers).toBe(1))
  await stop()
  ctx.clock.advance(MINUTE_MS)
  expect([portions, ctx.clock.pendingTimers]).toEqual([1, 0])
})
