import type { AlertFacts } from '#core/alerts/alert-rules.ts'
import { type CapSubject, readCapSubject } from '#core/markets/terms/cap-subject.ts'
import { readMarketType } from '#core/markets/market.ts'
import { money, moneyText } from '#core/money/money.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'

/** The sentence about an alert. It names no user and no single payment. */
export function alertText(rule: string, facts: AlertFacts): string {
  const { amount, kind, fault, cap } = facts
  const subject = cap === undefined ? null : readCapSubject(String(cap))
  return staffText(`staff_alerts.text_${rule}`, {
    ...facts,
    ...(amount !== undefined && { amount: moneyText(money(BigInt(amount))) }),
    ...(subject !== null && { cap: capName(subject) }),
    ...(kind !== undefined && { kind: staffText(`waiting.kind_${kind}`, {}) }),
    ...(fault !== undefined && { fault: staffText(`dashboard.fault_${fault}`, {}) }),
  })
}

export function capName({ scope, key }: CapSubject): string {
  const market = readMarketType(key)
  return staffText(`exposure.of_${scope}`, { key: market === null ? key : staffText(`markets.${market}`, {}) })
}
