import type { StatementKind } from '#core/statement/statement-row.ts'
import { VOID_REASONS } from '#core/orders/order.ts'
import { t } from '#web/i18n/t.ts'

/** The fields of a row from which its text is made. */
export interface TextOfRow {
  readonly kind: StatementKind
  readonly words: string
  readonly voidReason: string | null | undefined
}

/** Returns the message of the operator, why an order was void, or that an adjustment has no reason. May be empty. */
export function rowText({ kind, words, voidReason }: TextOfRow): string {
  if (words !== '') return words
  if (kind === 'correction') return t('statement.no_words')
  const reason = VOID_REASONS.find((one) => one === voidReason)
  return reason === undefined ? '' : t(`transaction_history.void_${reason}`)
}
