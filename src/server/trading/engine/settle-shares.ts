import type { SettleGuard } from '#server/trading/engine/settle.queries.ts'
import type { Leases } from '#server/platform/cluster/leases.ts'

/** Symbols are divided by id into this many shares, so that several nodes can split settling. */
export const SETTLE_SHARES = 8

/** The symbols that this node settles at this moment, and the leases that allow it. */
export interface SettleShares {
  owns(symbolId: number): boolean
  guard(): SettleGuard
}

const nameOf = (share: number): string => `settle/${share}`

/** Requests leases for the shares of the symbols. Calls `onTaken` after each acquired share. */
export function seekSettleShares(leases: Leases, onTaken: () => Promise<void>): SettleShares {
  const all = Array.from({ length: SETTLE_SHARES }, (_, share) => share)
  leases.want({ names: all.map(nameOf), role: 'settle', onTaken, onLost: () => {} })
  return {
    owns: (symbolId) => leases.fenceOf(nameOf(symbolId % SETTLE_SHARES)) !== null,
    guard: () => ({
      shares: SETTLE_SHARES,
      held: all.flatMap((share) => {
        const fence = leases.fenceOf(nameOf(share))
        return fence === null ? [] : [{ ...fence, share }]
      }),
    }),
  }
}
