import type { LimitsOut } from '#contract/limits.ts'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { limitName } from '#web/limits/limit-text.ts'

/** Says what a change changes: "Loss limit · 24 hours: from $50.00 to none". */
export function changeText({ key, from, to }: Pick<LimitsOut['history'][number], 'key' | 'from' | 'to'>): string {
  const amount = (value: number | null) => (value === null ? t('limits.none') : formatMoney(moneyOf(value)))
  return t('limits.change', { name: limitName(key), from: amount(from), to: amount(to) })
}
