import type { FeedHealth } from '#contract/back-office/dashboard.ts'
import { t } from '#back-office/i18n/t.ts'

type Unused = FeedHealth['unplaced'][number]['unused']

/** Returns "10 excluded condition, 2 unconfirmed spike"; empty when every trade made a price. */
export function unusedText(unused: Unused): string {
  return joined(unused.map(({ reason, count }) => ({ count, reason: t(`dashboard.unused_reason_${reason}`) })))
}

/** Returns the same text for prices that the tick log did not accept. */
export function rejectionsText(rejections: FeedHealth['kept_out']): string {
  return joined(rejections.map(({ reason, count }) => ({ count, reason: t(`dashboard.kept_reason_${reason}`) })))
}

function joined(counts: readonly { readonly count: number; readonly reason: string }[]): string {
  return counts.map((one) => t('dashboard.unused_count', { ...one, count: one.count.toLocaleString('en') })).join(', ')
}
