import { expect, test } from 'vitest'
import { gridOf, gridTimes } from '#web/chart/line-grid.ts'

const MINUTE = 60_000

test('VA21: the grid reaches from before the entry to after the expiry, with a bounded number of points', () => {
  for (const length of [MINUTE, 5 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE]) {
    const openedAt = 1_700_000_000_123
    const grid = gridOf({ openedAt, expiresAt: openedAt + length })
    expect(grid.fromMs).toBeLessThan(openedAt)
    expect(grid.toMs).toBeGreaterThan(openedAt + length)
    expect(gridTimes(grid).length).toBeLessThan(600)
  }
})
