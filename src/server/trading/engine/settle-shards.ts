import type { SettleGuard } from '#server/trading/engine/held-shards.queries.ts'
import type { Leases } from '#server/platform/cluster/leases.ts'

/** Symbols are divided by id into 8 shards, so that several nodes can share the settling of orders. */
export const SETTLE_SHARDS = 8

/** The symbols that this node settles at this moment, and the leases that allow it. */
export interface SettleShards {
  owns(symbolId: number): boolean
  guard(): SettleGuard
}

const nameOf = (shard: number): string => `settle/${shard}`

/** Requests leases for the shards of the symbols. Calls `onAcquired` after each acquired shard. */
export function acquireSettleShards(leases: Leases, onAcquired: () => Promise<void>): SettleShards {
  const all = Array.from({ length: SETTLE_SHARDS }, (_, shard) => shard)
  leases.register({ names: all.map(nameOf), role: 'settle', onAcquired, onLost: () => {} })
  return {
    owns: (symbolId) => leases.fenceOf(nameOf(symbolId % SETTLE_SHARDS)) !== null,
    guard: () => ({
      shards: SETTLE_SHARDS,
      held: all.flatMap((shard) => {
        const fence = leases.fenceOf(nameOf(shard))
        return fence === null ? [] : [{ ...fence, shard }]
      }),
    }),
  }
}
