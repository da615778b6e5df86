import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { t } from '#back-office/i18n/t.ts'

type Unused = FeedHealth['unplaced'][number]['unused']

/**
 * Returns the number of unused trades for each reason: "10 excluded condition, 2 unconfirmed spike". Empty when every
 * trade made a price.
 */
export function unusedText(unused: Unused): string {
  return joined(unused.map(({ reason, count }) => ({ count, reason: t(`dashboard.unused_reason_${reason}`) })))
}

/** Returns the number of prices that the tick log rejected for each reason, in the same form. */
export function rejectionsText(rejections: FeedHealth['kept_out']): string {
  return joined(rejections.map(({ reason, count }) => ({ count, reason: t(`dashboard.kept_reason_${reason}`) })))
}

function joined(counts: readonly { readonly count: number; readonly reason: string }[]): string {
  return counts.map((one) => t('dashboard.unused_count', { ...one, count: one.count.toLocaleString('en') })).join(', ')
}
