/** One price at one moment, milliseconds UTC. */
export interface TickPoint {
  readonly time: number
  readonly price: number
}

/** A time, both ends included, in whole milliseconds UTC. */
export interface Span {
  readonly from: number
  readonly through: number
}

/** A time whose ticks are known, each of them or as many as can be seen. */
export interface Stretch extends Span {
  /** Ascending. */
  readonly ticks: readonly TickPoint[]
}

/** How far a price moved within a time: of longer orders that is what is drawn. */
export interface PriceRange extends Span {
  readonly low: number
  readonly high: number
}

/** Puts one more stretch among those that are known. Where both know a time, the later answer holds. */
export function withStretch(known: readonly Stretch[], next: Stretch): Stretch[] {
  let joined = next
  const apart: Stretch[] = []
  for (const one of known) {
    if (one.through + 1 < joined.from || one.from > joined.through + 1) {
      apart.push(one)
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
  return [...apart, joined].toSorted((a, b) => a.from - b.from)
}

/** What is known of fetched stretches and of those seen live; a fetched one holds every tick, so it goes first. */
export function courseOf(fetched: readonly Stretch[], live: readonly Stretch[]): Stretch[] {
  let course: Stretch[] = [...live]
  for (const one of fetched) course = withStretch(course, one)
  return course
}

/** The first moment within a span that no stretch covers; null when all of it is known. `known` in any order. */
export function firstUnknown(known: readonly Span[], { from, through }: Span): number | null {
  let reached = from
  for (const one of known.toSorted((a, b) => a.from - b.from)) {
    if (one.from > reached + 1) break
    reached = Math.max(reached, one.through)
  }
  return reached < through ? reached : null
}

/**
 * The ticks to draw a line through without a break. A line ends where ticks may be missing, and where the source said
 * nothing for `stillMs`: no order begins at a price that old either.
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

/** The times within a span that nothing is drawn for, each longer than `longerMs`. */
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
