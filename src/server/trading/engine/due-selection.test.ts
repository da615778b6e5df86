import { expect, it } from 'vitest'
import type { SourceClass } from '#core/markets/source-class.ts'
import { instant, later } from '#core/time/instant.ts'
import { DueSelection } from '#server/trading/engine/due-selection.ts'

const EXPIRY = instant(1_000_000)

/** Returns how many expiries (0 or 1) are due `ms` after the expiry, while the feed is silent. */
function dueAfter(ms: number, evidence: SourceClass | null) {
  const now = later(EXPIRY, ms)
  const clock = { now: () => now, steady: () => ms, after: () => () => undefined, isTrusted: () => true }
  const ticks = { watermark: () => later(EXPIRY, -1) }
  const due = new DueSelection({ ctx: { clock, now: () => now }, ticks, owns: () => true })
  const group = evidence === null ? undefined : { rule: 2, source: 'binance', maxTickAgeMs: 5_000, evidence }
  due.watch({ symbolId: 1, expiresAt: EXPIRY, group })
  return due.take().length
}

it.each([
  ['ids', 10_000, 0],
  // More than 10 s after the expiry, the record of the source may have decided it.
  ['ids', 10_001, 1],
  ['none', 10_001, 0],
  ['none', 60_001, 1],
  [null, 10_001, 0],
  [null, 60_001, 1],
] as const)('an expiry of class %s is due %i ms later without a price: %i', (evidence, ms, count) => {
  expect(dueAfter(ms, evidence)).toBe(count)
})
