import type { SettleGuard } from '#server/trading/engine/settle.queries.ts'
import type { Leases } from '#server/platform/cluster/leases.ts'

/** Symbols are settled in so many shares, by their id, so that several servers can divide them. */
export const SETTLE_SHARES = 8

/** Which symbols this server settles at this moment, and by what right. */
export interface SettleShares {
  owns(symbolId: number): boolean
  guard(): SettleGuard
}

const nameOf = (share: number): string => `settle/${share}`

/** Seeks shares of the symbols; `onTaken` when there is one more. */
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
