import type { SplitOut } from '#contract/markets.ts'

/** "3:1": so many new shares for so many old ones. */
export function ratioText({ new_shares: newShares, old_shares: oldShares }: SplitOut): string {
  return `${newShares}:${oldShares}`
}
