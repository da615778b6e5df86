/** A price at a time in milliseconds UTC. */
export interface TickPoint {
  readonly time: number
  readonly price: number
}

/** A span of time in whole milliseconds UTC, both ends included. */
export interface Span {
  readonly from: number
  readonly through: number
}

/** A span of time whose ticks are known: all ticks, or as many as are visible. */
export interface Stretch extends Span {
  /** Oldest first. */
  readonly ticks: readonly TickPoint[]
}

/** The price range within a time. Longer orders are drawn with ranges instead of ticks. */
export interface PriceRange extends Span {
  readonly low: number
  readonly high: number
}

/** Adds a stretch to the known stretches. Where two overlap, the stretch that was added last wins. */
export function withStretch(known: readonly Stretch[], next: Stretch): Stretch[] {
  let joined = next
  const others: Stretch[] = []
  for (const one of known) {
    if (one.through + 1 < joined.from || one.from > joined.through + 1) {
      others.push(one)
      continue
    }
    const before = one.ticks.filter(({ time }) => time < joined.from)
    const after = one.ticks.filter(({ time }) => time > joined.through)
    joined = {
      from: Math.min(one.from, joined.from),
      through: Math.max(one.through, joined.through),
      ticks: [...before, ...joined.ticks, ...after],
    }
  }
  return [...others, joined].toSorted((a, b) => a.from - b.from)
}

/** Joins fetched stretches with live stretches. A fetched stretch lacks no visible tick, so it takes precedence. */
export function courseOf(fetched: readonly Stretch[], live: readonly Stretch[]): Stretch[] {
  let course: Stretch[] = [...live]
  for (const one of fetched) course = withStretch(course, one)
  return course
}

/**
 * Returns the first time within a span that no stretch covers; null when all are covered. `known` can be in any order.
 */
export function firstUnknown(known: readonly Span[], { from, through }: Span): number | null {
  let reached = from
  for (const one of known.toSorted((a, b) => a.from - b.from)) {
    if (one.from > reached + 1) break
    reached = Math.max(reached, one.through)
  }
  return reached < through ? reached : null
}

/**
 * Returns the ticks of each unbroken line. A line ends where ticks may be missing, and where the source was silent for
 * `stillMs`, as no order begins at a price that old.
 */
export function runsOf(course: readonly Stretch[], stillMs: number): TickPoint[][] {
  const runs: TickPoint[][] = []
  for (const { ticks } of course) {
    let run: TickPoint[] = []
    for (const tick of ticks) {
      const before = run.at(-1)
      if (before !== undefined && tick.time - before.time > stillMs) {
        runs.push(run)
        run = []
      }
      run.push(tick)
    }
    if (run.length > 0) runs.push(run)
  }
  return runs
}

/** Returns the gaps in a drawing: the parts of the span, longer than `longerMs`, in which nothing is drawn. */
export function gapsOf(drawn: readonly Span[], { from, through }: Span, longerMs: number): Span[] {
  const gaps: Span[] = []
  let reached = from
  for (const one of [...drawn, { from: through, through }].toSorted((a, b) => a.from - b.from)) {
    const until = Math.min(one.from, through)
    if (until - reached > longerMs) gaps.push({ from: reached, through: until })
    reached = Math.max(reached, one.through)
  }
  return gaps
}
