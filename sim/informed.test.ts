import { describe, expect, it } from 'vitest'
import { playInformed } from './informed.ts'

const [seed, orders] = [1, 400]
const PATIENCE_MS = 300_000

describe('attack 12: people who see the market itself before our sources tell of it', () => {
  it(
    'gain nothing by being as early as our sources, or a fifth of a second earlier',
    async () => {
      for (const lateMs of [0, 200]) {
        const gain = await playInformed({ seed, orders, lateMs })
        expect(gain.orders).toBe(orders)
        expect(gain.mean).toBeLessThan(2 * gain.error)
      }
    },
    PATIENCE_MS,
  )

  it(
    'do gain when our sources are a second late, and no more once an order is held as long',
    async () => {
      const taken = await playInformed({ seed, orders, lateMs: 1_000 })
      expect(taken.mean).toBeGreaterThan(2 * taken.error)
      const held = await playInformed({ seed, orders, lateMs: 1_000, heldMs: 1_000 })
      expect(held.mean).toBeLessThan(2 * held.error)
    },
    PATIENCE_MS,
  )
})
