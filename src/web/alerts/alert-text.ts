import type { AlertOut } from '#contract/alerts.ts'
import { groupedNumber } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'

/** Formats a price with the decimals of its symbol, left to right. */
export function levelText(level: number, decimals: number): string {
  return `\u2066${groupedNumber(level.toFixed(decimals))}\u2069`
}

/** Says when an alert fires. */
export function ruleText({ kind, level, percent, decimals }: AlertOut): string {
  if (kind === 'move') return t('alerts.rule_move', { percent: percent ?? 0 })
  return t(`alerts.rule_${kind}`, { level: levelText(level ?? 0, decimals) })
}
