import { expect, it } from 'vitest'
import { playWatcher } from './refusal-watching.ts'

const ORDERS = 150
const PATIENCE_MS = 600_000

it.each([true, false])(
  'OD7.6: a user who learns from refusals for which direction the cap is full gains nothing; the bets follow this direction: %s',
  { timeout: PATIENCE_MS },
  async (follows) => {
    const gain = await playWatcher({ seed: 1, orders: ORDERS, follows })
    expect(gain.full).toBeGreaterThan(ORDERS / 2)
    expect(gain.orders).toBeGreaterThan(ORDERS / 5)
    expect(gain.mean).toBeLessThan(2 * gain.error)
  },
)
