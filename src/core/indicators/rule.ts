/** The values of a bar that indicators use. */
export interface PriceBar {
  /** Opening time in milliseconds UTC. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/**
 * A calculation in steps. Each step turns a state and an input into the next state and a value, which is null while
 * inputs are missing. States are never changed in place, so a step can be tried and dropped.
 */
export interface Rule<In, S, Out> {
  readonly start: S
  readonly next: (state: S, input: In) => readonly [S, Out | null]
}

/** An indicator that is fed bar by bar. */
export interface Indicator<V> {
  /** Takes a closed bar and returns its value. */
  readonly close: (bar: PriceBar) => V | null
  /** Returns what `close` would return, and changes nothing. For the bar that is still open. */
  readonly peek: (bar: PriceBar) => V | null
}

export function createIndicator<S, V>({ start, next }: Rule<PriceBar, S, V>): Indicator<V> {
  let state = start
  return {
    close: (bar) => {
      const [after, value] = next(state, bar)
      state = after
      return value
    },
    peek: (bar) => next(state, bar)[1],
  }
}

/** Feeds a rule with one number from each input, such as the close of each bar. */
export function ofNumber<In, S, Out>(rule: Rule<number, S, Out>, read: (input: In) => number): Rule<In, S, Out> {
  return { start: rule.start, next: (state, input) => rule.next(state, read(input)) }
}

/** Feeds the values of one rule into another. */
export function after<In, S, Mid, T, Out>(
  first: Rule<In, S, Mid>,
  second: Rule<Mid, T, Out>,
): Rule<In, readonly [S, T], Out> {
  return {
    start: [first.start, second.start],
    next: ([one, two], input) => {
      const [oneAfter, middle] = first.next(one, input)
      if (middle === null) return [[oneAfter, two], null]
      const [twoAfter, value] = second.next(two, middle)
      return [[oneAfter, twoAfter], value]
    },
  }
}

/** Changes the values of a rule, such as naming or ordering them. */
export function mapped<In, S, Mid, Out>(rule: Rule<In, S, Mid>, change: (value: Mid) => Out): Rule<In, S, Out> {
  return {
    start: rule.start,
    next: (state, input) => {
      const [next, value] = rule.next(state, input)
      return [next, value === null ? null : change(value)]
    },
  }
}
