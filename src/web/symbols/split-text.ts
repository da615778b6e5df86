import type { SplitOut } from '#contract/markets.ts'

/** Formats a split: "3:1" means three new shares for one old share. */
export function ratioText({ new_shares: newShares, old_shares: oldShares }: SplitOut): string {
  return `${newShares}:${oldShares}`
}
