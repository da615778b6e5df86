import type { StatementFault } from '#core/statement/check-statement.ts'
import { type MessageKey, t } from '#web/i18n/t.ts'
import type { CheckedStatement } from '#web/statements/check-statement-file.ts'

const FAULTS: Readonly<Record<StatementFault, MessageKey>> = {
  form: 'statement.fault_form',
  signature_form: 'statement.fault_signature',
  signature: 'statement.fault_signature',
  key_unknown: 'statement.fault_key_unknown',
  key_retired: 'statement.fault_key_retired',
  rows: 'statement.fault_rows',
  sum: 'statement.fault_sum',
  gap: 'statement.fault_gap',
}

/** Returns the lines of the verdict on a statement: that the statement is correct, or each fault. */
export function statementVerdict({ check: { faults }, areKeysOwn }: CheckedStatement): string[] {
  const lines = faults.length === 0 ? [t('statement.holds')] : faults.map((fault) => t(FAULTS[fault]))
  return [...new Set(lines), ...(areKeysOwn ? [t('check.keys_own')] : [])]
}
