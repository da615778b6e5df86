import {
  courseOf,
  firstUnknown,
  type PriceRange,
  type Span,
  type Stretch,
  withStretch,
} from '#web/chart/price-course.ts'

/** What an answer makes known: ticks, or of a longer time how far the price moved in each of its parts. */
export interface Fetched extends Stretch {
  readonly ranges?: readonly PriceRange[]
}

export interface CourseParts {
  /** All that is ever drawn. */
  readonly span: Span
  /** Asks for what comes after a moment; an answer may cover a part of it. */
  readonly load: (from: number, signal: AbortSignal) => Promise<Fetched>
  /** What was seen live. */
  readonly live: () => readonly Stretch[]
  /** The newest moment that anything can be known of. */
  readonly newest: () => number
  /** The least time between two questions about what came meanwhile. */
  readonly everyMs: number
  readonly onChange: () => void
}

/** What is known of the price within a span. */
export interface Course {
  readonly stretches: readonly Stretch[]
  readonly ranges: readonly PriceRange[]
  /** Everything was asked for once: what is missing now is not just on its way. */
  readonly isSettled: boolean
}

export interface CourseFollower {
  course: () => Course
  /** Looks whether anything is missing, and asks for it. */
  look: () => void
  /** As `look`, without waiting: the connection or the reader is back. */
  lookNow: () => void
  stop: () => void
}

/** 50 ms between the pieces of a long time: room for everything else. */
const NEXT_MS = 50
/** After a failure, doubled each time. */
const [FIRST_WAIT_MS, MAX_WAIT_MS] = [2_000, 30_000]

/** Keeps the course of a price whole: whatever was not seen live is asked for until it is known. */
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
      // A long time comes in pieces; what was written since this answer can wait.
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
