import type { Instant } from '#core/time/instant.ts'
import type { SuspectReason, SourceHealth, UnplacedTrades } from '#server/market-data/feeds/base/feed.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { TickHole } from '#server/market-data/tick-log/tick-hole.queries.ts'

/** The message that the log's writer sends to other servers right after the commit it describes. */
export interface TickMessage {
  /** The writer's fencing token. A receiver that knows a higher token ignores the message. */
  readonly token: bigint
  /**
   * `from` and `previousHash`: the last sequence number and hash of the log before the payload. `headSeq` and `hash`:
   * after the payload.
   */
  readonly from: number
  readonly previousHash: Uint8Array
  readonly headSeq: number
  readonly hash: Uint8Array
  /** The canonical text of the batch; empty without a tick. */
  readonly payload: string
  readonly heard: readonly (readonly [symbolId: number, time: Instant])[]
  readonly floor: Instant | null
  /** Holes of the log found since the last message. */
  readonly holes: readonly TickHole[]
  /** All symbols with a suspect price at this moment. */
  readonly doubts: readonly (readonly [symbolId: number, why: SuspectReason])[]
  /** State of the sources; sent from time to time. */
  readonly sources?: readonly SourceHealth[]
  /** Sent with `sources`: trades that belong to no source, and ticks that the log rejected. */
  readonly unplaced?: readonly UnplacedTrades[]
  readonly keptOut?: Readonly<Record<string, number>>
}

/**
 * How several servers share one tick log: the leaseholder listens to the sources and writes, all other servers follow.
 * Messages may be lost, repeated or delayed. Only the log itself is authoritative, and followers read it where messages
 * are missing.
 */
export interface SharedTicks {
  /** Whether this server may listen to the sources. */
  readonly mayLead: boolean
  /**
   * Calls `lead` when this server gets the right to write the log, and `follow` when it loses this right. Call it only
   * on servers that may lead.
   */
  seek(turns: { readonly lead: (fence: Fence) => Promise<void>; readonly follow: () => Promise<void> }): void
  publish(word: TickMessage): void
  onMessage(listener: (word: TickMessage) => void): () => void
  /** Whether the bus is connected. While it is not, the log is read several times a second. */
  isConnected(): boolean
  /** Whether other servers exist that need the messages. */
  hasOthers(): boolean
}
