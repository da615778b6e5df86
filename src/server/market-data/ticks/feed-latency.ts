import type { Tick } from '#core/markets/tick.ts'

const STRETCH_MS = 1_000
const STRETCHES = 10

/** A second in which ticks came, and the largest delay among these ticks. */
interface Stretch {
  readonly at: number
  worst: number
}

/**
 * The feed delay of one symbol: the time between the source's timestamp of a price and its receipt by this server.
 *
 * The feed delay is the delay of the newest tick, or a delay that occurred in at least two of the last ten seconds with ticks, whichever is larger. So
 * the first late price counts immediately, and sources that are late in bursts stay late between them. One wrong timestamp or one repeated
 * old price is forgotten with the next tick. Only ticks update the delay: a quiet symbol keeps its last one. A source whose clock is ahead
 * counts as punctual.
 */
export class FeedLatency {
  #newest = 0
  #stretches: Stretch[] = []

  /** The feed delay in milliseconds, never negative. */
  get ms(): number {
    let greatest = 0
    let second = 0
    for (const { worst } of this.#stretches) {
      if (worst > greatest) [second, greatest] = [greatest, worst]
      else if (worst > second) second = worst
    }
    return Math.max(this.#newest, second)
  }

  note({ time, receivedAt }: Pick<Tick, 'time' | 'receivedAt'>): void {
    const late = Math.max(0, receivedAt - time)
    this.#newest = late
    const at = Math.floor(receivedAt / STRETCH_MS)
    const current = this.#stretches.at(-1)
    if (current?.at === at) {
      current.worst = Math.max(current.worst, late)
      return
    }
    // After the clock was set back, earlier entries are useless.
    if (current !== undefined && current.at > at) this.#stretches = []
    this.#stretches.push({ at, worst: late })
    while ((this.#stretches[0]?.at ?? at) <= at - STRETCHES) this.#stretches.shift()
  }
}
