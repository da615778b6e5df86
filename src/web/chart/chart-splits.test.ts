import { expect, it } from 'vitest'
import { splitBars } from '#web/chart/chart-splits.ts'

const MINUTE = 60_000
const AT = Date.UTC(2022, 7, 25, 13, 30)
const SPLIT = { new_shares: 3, old_shares: 1, applies_at: AT }

it.each([
  ['the bar that opens with it', [AT - MINUTE, AT, AT + MINUTE], MINUTE, [1]],
  ['the first bar after a pause', [AT - 1_000 * MINUTE, AT + 2 * MINUTE], MINUTE, [1]],
  ['the day in which it took effect', [AT - 37.5 * 3_600_000, AT - 13.5 * 3_600_000], 24 * 3_600_000, [1]],
  ['no bar while all are from before', [AT - 2 * MINUTE, AT - MINUTE], MINUTE, []],
  ['no bar when all are from after', [AT, AT + MINUTE], MINUTE, []],
  ['no bar of none', [], MINUTE, []],
])('P7: the chart marks a split at %s', (_, times, stepMs, expected) => {
  expect([...splitBars(times, stepMs, [SPLIT]).keys()]).toEqual(expected)
})
