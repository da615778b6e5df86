import type { Instant } from '#core/time/instant.ts'
import type { Doubt, SourceHealth, UnplacedTrades } from '#server/market-data/feeds/base/feed.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

/** What the writer of the log tells the other servers, right after the commit of what it speaks of. */
export interface TickWord {
  /** Of the writer's lease: whoever has heard a higher one does not listen any more. */
  readonly token: bigint
  /** Where the log ended before the payload, and where it ends with it. */
  readonly from: number
  readonly previousHash: Uint8Array
  readonly headSeq: number
  readonly hash: Uint8Array
  /** The canonical text of the batch; empty when no tick came. */
  readonly payload: string
  readonly heard: readonly (readonly [symbolId: number, time: Instant])[]
  readonly floor: Instant | null
  /** Where the log may lack prices, as far as it was found since the last word. */
  readonly holes: readonly TickHole[]
  /** All that are in doubt at this moment. */
  readonly doubts: readonly (readonly [symbolId: number, why: Doubt])[]
  /** Now and then: how the sources do. */
  readonly sources?: readonly SourceHealth[]
  /** With them: trades that belong to no source, and what the log itself kept out. */
  readonly unplaced?: readonly UnplacedTrades[]
  readonly keptOut?: Readonly<Record<string, number>>
}

/**
 * How several servers share one tick log: the one with the lease listens to the sources and writes, all others follow.
 * A word may be lost, come twice or be delayed: the log itself says what is true, and is read where words are missing.
 */
export interface SharedTicks {
  /** Whether this server ever listens to the sources. */
  readonly mayLead: boolean
  /** Calls `lead` when the log is ours to write, `follow` when it is not any more. Only of servers that may lead. */
  seek(turns: { readonly lead: (fence: Fence) => Promise<void>; readonly follow: () => Promise<void> }): void
  publish(word: TickWord): void
  onWord(listener: (word: TickWord) => void): () => void
  /** Whether words can come at all just now; while they cannot, the log is read several times a second. */
  isConnected(): boolean
  /** Whether anybody is there to be told. */
  hasOthers(): boolean
}
