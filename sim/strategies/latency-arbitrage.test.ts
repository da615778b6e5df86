import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlayIn, startWorkers } from '../workers.ts'

const seed = 1

let play: PlayIn
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ play, stop } = await startWorkers())
})
afterAll(() => stop())

describe.concurrent('AT12: users who see the market before our sources report it', () => {
  it.each([{ lateMs: 1_000, orders: 500 }, ...[0, 200, 500, 2_000, 4_000].map((lateMs) => ({ lateMs, orders: 100 }))])(
    'gain nothing in $orders orders from a lead of $lateMs ms',
    async ({ lateMs, orders }) => {
      const gain = await play({ seed, orders, lateMs })
      expect(gain.orders).toBeGreaterThan(orders * 0.95)
      expect(gain.mean).toBeLessThan(2 * gain.error)
    },
  )

  it('would profit from a lead of two seconds if the server accepted their orders at once', async () => {
    const gain = await play({ seed, orders: 200, lateMs: 2_000, ignoresLateness: true })
    expect(gain.mean).toBeGreaterThan(2 * gain.error)
  })
})
