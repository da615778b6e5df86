import {
  courseOf,
  firstUnknown,
  type PriceRange,
  type Span,
  type Stretch,
  withStretch,
} from '#web/chart/price-course.ts'

/** A reply of the server: ticks, or for longer orders the price range in each part of the time. */
export interface Fetched extends Stretch {
  readonly ranges?: readonly PriceRange[]
}

export interface CourseParts {
  /** The whole time that can be drawn. */
  readonly span: Span
  /** Loads prices after a time. A reply may cover only a part of the span. */
  readonly load: (from: number, signal: AbortSignal) => Promise<Fetched>
  /** The ticks received live. */
  readonly live: () => readonly Stretch[]
  /** The newest time for which prices can exist. */
  readonly newest: () => number
  /** Minimum time in milliseconds between two requests for missed prices. */
  readonly everyMs: number
  readonly onChange: () => void
}

/** The known prices within a span. */
export interface Course {
  readonly stretches: readonly Stretch[]
  readonly ranges: readonly PriceRange[]
  /** Whether every price has been requested at least once. If so, a gap does not mean that prices are still loading. */
  readonly isSettled: boolean
}

export interface CourseFollower {
  course: () => Course
  /** Checks for missing prices and requests them. */
  look: () => void
  /** Like `look`, but without a pause: for a restored connection or a page shown again. */
  lookNow: () => void
  stop: () => void
}

/** 50 ms between the requests for the pieces of a long span, so that other work can run. */
const NEXT_MS = 50
/** Pauses after failures: 2 s after the first, then doubled each time up to 30 s. */
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [2_000, 30_000]

/** Collects the prices during an order. Prices that did not arrive live are requested until all are known. */
export function followCourse(parts: CourseParts): CourseFollower {
  const { span, load, live, newest, everyMs, onChange } = parts
  const abort = new AbortController()
  const known = new FetchedPrices()
  const pacing = new RequestPacing()
  let isSettled = false
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function missingFrom(): number | null {
    return firstUnknown([...known.stretches, ...live()], { from: span.from, through: Math.min(span.through, newest()) })
  }

  function look(): void {
    if (isBusy || abort.signal.aborted) return
    const from = missingFrom()
    if (from === null) {
      if (!isSettled && known.stretches.length > 0) settled()
      return
    }
    clearTimeout(timer)
    const wait = pacing.waitMs()
    if (wait > 0) timer = setTimeout(look, wait)
    else void ask(from)
  }

  function settled(): void {
    isSettled = true
    onChange()
  }

  async function ask(from: number): Promise<void> {
    isBusy = true
    try {
      const reply = await load(from, abort.signal)
      if (abort.signal.aborted) return
      known.add(from, reply)
      const missing = missingFrom()
      // A long span arrives in pieces, so the next piece is requested soon. Prices that are newer than this reply can
      // wait for the usual interval.
      const isMore = reply.through > from && missing !== null && newest() - missing > everyMs
      pacing.succeeded(isMore ? NEXT_MS : everyMs)
      isSettled ||= !isMore
      onChange()
    } catch {
      if (abort.signal.aborted) return
      pacing.failed()
      settled()
    } finally {
      isBusy = false
    }
    look()
  }

  return {
    course: () => ({ stretches: courseOf(known.stretches, live()), ranges: known.ranges, isSettled }),
    look,
    lookNow: () => {
      pacing.reset()
      look()
    },
    stop: () => {
      abort.abort()
      clearTimeout(timer)
    },
  }
}

/** The prices of all replies. */
class FetchedPrices {
  stretches: readonly Stretch[] = []
  ranges: readonly PriceRange[] = []

  /** Adds the reply to a request for the prices after `from`. */
  add(from: number, { ticks, through, ranges = [] }: Fetched): void {
    if (through < from) return
    const between = ticks.filter(({ time }) => time >= from && time <= through)
    this.stretches = withStretch(this.stretches, { from, through, ticks: between })
    const since = ranges[0]?.from
    if (since !== undefined) this.ranges = [...this.ranges.filter((one) => one.from < since), ...ranges]
  }
}

/** Decides when the next request may be sent. */
class RequestPacing {
  #failures = 0
  #nextAt = 0

  waitMs(): number {
    return this.#nextAt - performance.now()
  }

  succeeded(pauseMs: number): void {
    this.#failures = 0
    this.#nextAt = performance.now() + pauseMs
  }

  failed(): void {
    this.#nextAt = performance.now() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures)
    this.#failures += 1
  }

  /** Allows a request immediately. */
  reset(): void {
    this.#failures = 0
    this.#nextAt = 0
  }
}
