import { Random } from '../kernel/random.ts'
import { drawPlan, NO_FAULTS, type Plan } from '../simulation/plan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long trading rests between two sessions. The waits and windows of a day end in some of these rests. */
const RESTS_MS = [10 * MINUTE, 50 * MINUTE, 11 * HOUR, 13 * HOUR, DAY - 5 * MINUTE, DAY + 10 * MINUTE, 3 * DAY, 9 * DAY]

/** A simulation with users who limit themselves, drawn from its seed: short sessions, with rests between them. */
export interface LimitPlan {
  readonly seed: number
  readonly rests: readonly number[]
  /** How long users trade in each session. */
  readonly tradeMs: number
  readonly users: number
  readonly node: Plan
}

export function drawLimitPlan(seed: number, sessions: number): LimitPlan {
  const random = new Random(seed, 'limits')
  const share = () => (random.chance(0.5) ? 0.03 * random.next() : 0)
  const faults = { ...NO_FAULTS, refused: share(), lostAck: share(), slow: share(), slowMs: 200 }
  const base = drawPlan(seed, 1, 1)
  return {
    seed,
    rests: Array.from({ length: sessions - 1 }, () => random.pick(RESTS_MS)),
    tradeMs: 12_000,
    users: 4,
    node: { ...base, engines: 2, faults, sources: { ...base.sources, classes: ['none', 'none'] } },
  }
}
