import type { TimeAnswer } from '#core/time/clock-bounds.ts'

/** A clock that replies to requests, such as a provider's. */
export interface RemoteClock {
  /** The provider's name, as users see it with its prices. */
  readonly name: string
  /** Throws a `ProviderError` when there is no reply, or none that can be parsed. */
  ask(): Promise<TimeAnswer>
  /** Ends a running question. Every later one fails. */
  stop(): void
}

/** The clocks of a feed's providers. */
export interface FeedClocks {
  readonly remotes: readonly RemoteClock[]
  /**
   * The shortest time between a tick's own time and its arrival since the last call, by source, in ms. A tick cannot arrive before it was made, so our
   * clock is at most this far ahead of the source's.
   */
  takeShortestDelays(): ReadonlyMap<string, number>
}

/** A feed that computes its prices has no other clock. */
export const NO_CLOCKS: FeedClocks = { remotes: [], takeShortestDelays: () => new Map() }
