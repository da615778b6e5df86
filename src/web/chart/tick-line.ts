import type { TickView } from '#core/charts/chart-type.ts'
import { newestOfEachSecond } from '#core/markets/recent-ticks.ts'
import { runsOf, type TickPoint } from '#web/chart/price-course.ts'
import type { NumberedTick } from '#web/live/numbered-ticks.ts'

/** 15 s: the longest silence within a line, until the server has named the limit of the symbol. */
const PRESET_SILENCE_MS = 15_000
/** 10,000 ticks: more would make drawing slow. The older half of the ticks is then thinned to one per second. */
const MAX_TICKS = 10_000
const SECOND_MS = 1_000

/** The facts that the server sends with past ticks. */
interface PastFacts {
  /** The longest silence, in milliseconds, that does not interrupt the line. */
  readonly silenceMs: number | undefined
  /** Whether the server sent only the newest tick of each second. */
  readonly isThinned: boolean
}

/** The ticks of the last minutes, by their sequence numbers in the tick log. */
export class TickLine {
  #ticks: NumberedTick[] = []
  #silenceMs = PRESET_SILENCE_MS
  #isThinned = false

  /** Adds ticks that the server sent on request. They may include ticks that arrived live. */
  addPast(ticks: readonly NumberedTick[], { silenceMs, isThinned }: PastFacts): void {
    this.#silenceMs = silenceMs ?? this.#silenceMs
    this.#isThinned ||= isThinned
    this.add(ticks)
  }

  add(ticks: readonly NumberedTick[]): void {
    const newest = this.#ticks.at(-1)?.q ?? -1
    const isNext = ticks.every(({ q }, at) => q > (ticks[at - 1]?.q ?? newest))
    if (isNext) for (const tick of ticks) this.#ticks.push(tick)
    else {
      const all = new Map([...this.#ticks, ...ticks].map((tick) => [tick.q, tick]))
      this.#ticks = [...all.values()].toSorted((a, b) => a.q - b.q)
    }
    if (this.#ticks.length <= MAX_TICKS) return
    const half = this.#ticks.length - MAX_TICKS / 2
    this.#ticks = [...newestOfEachSecond(this.#ticks.slice(0, half)), ...this.#ticks.slice(half)]
    this.#isThinned = true
  }

  /** Drops ticks from before a time. */
  forget(before: number): void {
    const first = this.#ticks.findIndex(({ time }) => time >= before)
    if (first === -1) this.#ticks = []
    else if (first > 0) this.#ticks.splice(0, first)
  }

  get newest(): TickPoint | null {
    return this.#ticks.at(-1) ?? null
  }

  /** Returns the unbroken lines. A longer silence than the symbol allows ends a line. */
  runs(view: TickView): readonly (readonly TickPoint[])[] {
    const [first, last] = [this.#ticks[0], this.#ticks.at(-1)]
    if (first === undefined || last === undefined) return []
    // The first tick of a thinned second is unknown, so a silence may seem longer by up to a second.
    const silenceMs = this.#silenceMs + (this.#isThinned ? SECOND_MS : 0)
    const runs = runsOf([{ from: first.time, through: last.time, ticks: this.#ticks }], silenceMs)
    return view === 'second' ? runs.map(newestOfEachSecond) : runs
  }
}
