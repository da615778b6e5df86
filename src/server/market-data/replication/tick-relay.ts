import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { SharedTicks, TickMessage } from '#server/market-data/replication/shared-ticks.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { Committed } from '#server/market-data/tick-log/tick-log.ts'
import { storeStream, type StreamState } from '#server/market-data/replication/tick-stream.queries.ts'

const STORE_EVERY_MS = 250
const SOURCES_EVERY_MS = 2 * SECOND_MS

/** The state of the sources, as known by the server that listens to them. */
export type SourceReport = Required<Pick<TickMessage, 'sources' | 'unplaced' | 'keptOut'>>

export interface TickRelay {
  /** Sends to other servers what was committed after `before`. Returns at once. */
  tell(fence: Fence, before: LogHead, committed: Committed): void
  /** Stores the watermarks belonging to the log up to `head`, at intervals. Returns at once. */
  keep(fence: Fence, head: LogHead): void
  /** The state of the sources as reported by the server that listens to them; null when that is this server. */
  remoteSources(isLeader: boolean): SourceReport | null
  idle(): Promise<void>
}

/**
 * Sends the state of the log's writer to followers: over the bus immediately, and through the database for followers
 * that missed a message.
 */
export function createTickRelay(parts: {
  readonly ctx: Ctx
  readonly shared: SharedTicks
  readonly sources: () => SourceReport
  readonly suspects: () => TickMessage['doubts']
  readonly watermarks: () => StreamState['watermarks']
}): TickRelay {
  const { ctx, shared, sources, suspects, watermarks } = parts
  let storedAt = Number.NEGATIVE_INFINITY
  let storing: Promise<void> | null = null
  let sourcesAt = Number.NEGATIVE_INFINITY
  let lastReport: SourceReport = { sources: [], unplaced: [], keptOut: {} }

  shared.onMessage(({ sources: receivedSources, unplaced = [], keptOut = {} }) => {
    if (receivedSources !== undefined) lastReport = { sources: receivedSources, unplaced, keptOut }
  })

  return {
    tell(fence, before, committed) {
      if (!shared.hasOthers()) return
      const speaksOfSources = ctx.clock.steady() - sourcesAt >= SOURCES_EVERY_MS
      if (speaksOfSources) sourcesAt = ctx.clock.steady()
      shared.publish({
        token: fence.token,
        from: before.lastSeq,
        previousHash: before.hash,
        headSeq: committed.head.lastSeq,
        hash: committed.head.hash,
        payload: committed.payload,
        heard: [...committed.heartbeats],
        floor: committed.floor,
        holes: committed.holes,
        doubts: suspects(),
        ...(speaksOfSources && sources()),
      })
    },
    keep(fence, head) {
      if (!shared.hasOthers() || storing !== null || ctx.clock.steady() - storedAt < STORE_EVERY_MS) return
      storedAt = ctx.clock.steady()
      const state = { headSeq: head.lastSeq, watermarks: watermarks(), doubts: suspects() }
      storing = storeStream(ctx.db, fence, state)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'the watermarks could not be stored'))
        .finally(() => {
          storing = null
        })
    },
    remoteSources: (isLeader) => (isLeader ? null : lastReport),
    async idle() {
      await storing
    },
  }
}
