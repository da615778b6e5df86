import type { Tick } from '#core/markets/tick.ts'

const STRETCH_MS = 1_000
const STRETCHES = 10

/** A second in which ticks came, and how late the latest of them was. */
interface Stretch {
  readonly at: number
  worst: number
}

/**
 * How late the prices of one symbol come: what passes between the time their source gives them and our receiving them.
 *
 * It is what the newest tick was late by, or what ticks were late by in at least two seconds of the last ten, whichever
 * is more. So the first late price counts at once, sources that are late in bursts count as late between them too, and
 * one wrong stamp or one old price that is told anew is over with the next tick. Only ticks move it on: of a symbol that is
 * quiet we know what we knew last. A source whose clock is ahead counts as not late.
 */
export class Lateness {
  #newest = 0
  #stretches: Stretch[] = []

  /** In milliseconds, never below zero. */
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
    // After a clock was set back, what was noted is of no use.
    if (current !== undefined && current.at > at) this.#stretches = []
    this.#stretches.push({ at, worst: late })
    while ((this.#stretches[0]?.at ?? at) <= at - STRETCHES) this.#stretches.shift()
  }
}
