import {
  ALERT_RULE_NAMES,
  ALERT_RULES,
  ALERT_SEVERITIES,
  type AlertRule,
  isAlertRule,
  type RuleInForce,
} from '#core/alerts/alert-rules.ts'
import { isRole } from '#core/staff/permissions.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The rule in force. Version 0 means the shipped values, because no owner has saved the rule. */
export interface StoredRule extends RuleInForce {
  readonly version: number
}

export type StoredRules = Readonly<Record<AlertRule, StoredRule>>

/** Returns all rules. A rule that no owner has saved has its shipped values. */
export async function readRules(db: Db | Tx): Promise<StoredRules> {
  const rows = await db.selectFrom('alert_rule').selectAll().execute()
  const saved = new Map(rows.map((row) => [row.rule, row]))
  const entries = ALERT_RULE_NAMES.map((rule) => {
    const row = saved.get(rule)
    const { severity, roles, threshold } = ALERT_RULES[rule]
    const stored: StoredRule = row
      ? {
          isOn: row.is_on,
          severity: ALERT_SEVERITIES.find((one) => one === row.severity) ?? severity,
          roles: row.roles.filter(isRole),
          threshold: Number(row.threshold),
          version: row.version,
        }
      : { isOn: true, severity, roles, threshold, version: 0 }
    return [rule, stored] as const
  })
  // The keys of the object are the names of all rules, so the type is safe.
  return Object.fromEntries(entries) as Record<AlertRule, StoredRule>
}

/** Stores a rule if the stored version is still the version that the editor saw. Returns false otherwise. */
export async function storeRule(
  tx: Tx,
  rule: AlertRule,
  { isOn, severity, roles, threshold, version }: StoredRule,
): Promise<boolean> {
  const values = { is_on: isOn, severity, roles: [...roles], threshold, version: version + 1 }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('alert_rule')
    .values({ rule, ...values })
    .onConflict((conflict) => conflict.column('rule').doUpdateSet(values).where('alert_rule.version', '=', version))
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns a stored text as the name of a rule, or null when no rule has this name. */
export function readRuleName(name: string): AlertRule | null {
  return isAlertRule(name) ? name : null
}
