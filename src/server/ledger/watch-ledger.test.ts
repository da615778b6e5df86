import { expect, it, vi } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'
import type { LedgerReport } from '#server/ledger/check-ledger.ts'
import { watchLedger } from '#server/ledger/watch-ledger.ts'
import { createTestContext } from '#testing/test-context.ts'

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
])('a check that took $tookMs ms is followed by the next one $restMs ms later', async (row) => {
  const { tookMs, restMs, everyMs = MINUTE_MS } = row
  const ctx = createTestContext({} as Db)
  const begun: number[] = []
  const reports: LedgerReport[] = []
  const stop = watchLedger({
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
