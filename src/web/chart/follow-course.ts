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
  /** Loads prices after a time. A reply may cover only a part of it. */
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
  /** All prices were requested once, so a gap is not merely still loading. */
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

/** 50 ms between the pieces of a long time, so that other work can run. */
const NEXT_MS = 50
/** Pauses after a failure. The first doubles each time up to the second. */
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [2_000, 30_000]

/** Follows the prices of an order's time. It requests all prices that did not arrive live until they are known. */
export function followCourse(parts: CourseParts): CourseFollower {
  const { span, load, live, newest, everyMs, onChange } = parts
  const abort = new AbortController()
  let fetched: readonly Stretch[] = []
  let ranges: readonly PriceRange[] = []
  let isSettled = false
  let isBusy = false
  let failures = 0
  let mayAskAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function missingFrom(): number | null {
    return firstUnknown([...fetched, ...live()], { from: span.from, through: Math.min(span.through, newest()) })
  }

  function look(): void {
    if (isBusy || abort.signal.aborted) return
    const from = missingFrom()
    if (from === null) {
      if (!isSettled && fetched.length > 0) settled()
      return
    }
    clearTimeout(timer)
    const wait = mayAskAt - performance.now()
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
      const answer = await load(from, abort.signal)
      if (abort.signal.aborted) return
      failures = 0
      take(from, answer)
      const missing = missingFrom()
      // A long time arrives in pieces. Prices newer than this reply can wait.
      const isMore = answer.through > from && missing !== null && newest() - missing > everyMs
      mayAskAt = performance.now() + (isMore ? NEXT_MS : everyMs)
      isSettled ||= !isMore
      onChange()
    } catch {
      if (abort.signal.aborted) return
      failures += 1
      mayAskAt = performance.now() + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
      settled()
    } finally {
      isBusy = false
    }
    look()
  }

  function take(from: number, { ticks, through, ranges: more = [] }: Fetched): void {
    if (through < from) return
    fetched = withStretch(fetched, {
      from,
      through,
      ticks: ticks.filter(({ time }) => time >= from && time <= through),
    })
    if (more.length === 0) return
    const since = more[0]?.from ?? 0
    ranges = [...ranges.filter((one) => one.from < since), ...more]
  }

  return {
    course: () => ({ stretches: courseOf(fetched, live()), ranges, isSettled }),
    look,
    lookNow: () => {
      mayAskAt = 0
      failures = 0
      look()
    },
    stop: () => {
      abort.abort()
      clearTimeout(timer)
    },
  }
}
