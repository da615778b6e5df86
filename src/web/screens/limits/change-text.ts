import type { LimitsOut } from '#contract/limits.ts'
import { t } from '#web/i18n/t.ts'
import { limitName, ruleText } from '#web/limits/limit-text.ts'

/** Describes a change: "Loss limit · 24 hours: from $50.00 to none". */
export function changeText({ key, from, to }: Pick<LimitsOut['history'][number], 'key' | 'from' | 'to'>): string {
  return t('limits.change', { name: limitName(key), from: ruleText(key, from), to: ruleText(key, to) })
}
