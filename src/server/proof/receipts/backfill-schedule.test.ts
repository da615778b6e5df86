import { expect, it } from 'vitest'
import { BackfillSchedule } from '#server/proof/receipts/backfill-schedule.ts'

const MINUTE_MS = 60_000

it('tries every two seconds until a backfill is complete or certainly runs on another server', () => {
  const schedule = new BackfillSchedule(0)
  schedule.start(1_000)
  expect(schedule.pauseMs(1_000)).toBe(2_000)
  expect(schedule.pauseMs(1_000 + 5 * MINUTE_MS)).toBe(MINUTE_MS)
  schedule.complete(0)
  expect(schedule.pauseMs(1_000)).toBe(MINUTE_MS)
})

it('pauses for twenty times the duration of a backfill, but at least one and at most five minutes', () => {
  const schedule = new BackfillSchedule(0)
  const pauses = [100, 6_000, 60_000].map((tookMs) => {
    schedule.complete(tookMs)
    return schedule.pauseMs(0)
  })
  expect(pauses).toEqual([MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS])
})

it('repeats a backfill for orders that were too recent for the first one', () => {
  const schedule = new BackfillSchedule(0)
  expect(schedule.hasYounger(50_000, 10_000)).toBe(false)
  schedule.leave(40_000)
  expect([schedule.hasYounger(50_000, 10_000), schedule.hasYounger(50_001, 10_000)]).toEqual([true, false])
  expect(schedule.hasYounger(40_000, 0)).toBe(false)
})

it('repeats the first backfill, because a killed server may have left orders that were too recent for the first one', () => {
  const schedule = new BackfillSchedule(0)
  schedule.start(50_000)
  expect([schedule.hasYounger(50_000, 10_000), schedule.hasYounger(60_001, 10_000)]).toEqual([true, false])
})
