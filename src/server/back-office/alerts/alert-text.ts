import type { AlertFacts } from '#core/alerts/alert-rules.ts'
import { money, moneyText } from '#core/money/money.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'

/** The sentence about an alert. It names no user and no single payment. */
export function alertText(rule: string, facts: AlertFacts): string {
  const { amount, kind, fault } = facts
  return staffText(`staff_alerts.text_${rule}`, {
    ...facts,
    ...(amount !== undefined && { amount: moneyText(money(BigInt(amount))) }),
    ...(kind !== undefined && { kind: staffText(`waiting.kind_${kind}`, {}) }),
    ...(fault !== undefined && { fault: staffText(`dashboard.fault_${fault}`, {}) }),
  })
}
