import type { TimeAnswer } from '#core/time/clock-bounds.ts'

/** A clock that replies to requests, such as a provider's. */
export interface RemoteClock {
  /** The provider's name, as users see it with its prices. */
  readonly name: string
  /** Throws a `ProviderError` when there is no reply, or none that can be parsed. */
  ask(): Promise<TimeAnswer>
  /** Ends a running request. Every later request fails. */
  stop(): void
}

/** The clocks of a feed's providers. */
export interface FeedClocks {
  readonly remotes: readonly RemoteClock[]
  /**
   * Returns for each source the shortest time, in ms, from a tick's own time to its arrival, since the last call of
   * this function. A tick cannot arrive before it was made, so our clock is at most this far ahead of the source's
   * clock.
   */
  takeShortestDelays(): ReadonlyMap<string, number>
}

/** A feed that computes its prices has no other clock. */
export const NO_CLOCKS: FeedClocks = { remotes: [], takeShortestDelays: () => new Map() }
