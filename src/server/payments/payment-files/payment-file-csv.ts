import { moneyText } from '#core/money/money.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { csvLine } from '#server/platform/http/csv.ts'

interface Payee {
  readonly form: readonly MethodField[]
  /** Full names by user id. */
  readonly names: ReadonlyMap<string, string>
}

/**
 * Writes payments as CSV for the portal of a bank. Each field of the payment details has a column: first the fields of
 * the method's current form, then fields that only an earlier form had.
 */
export function paymentFileCsv(withdrawals: readonly Withdrawal[], { form, names }: Payee): string {
  const fields = form.filter(({ type }) => type !== 'file').map(({ label }) => label)
  const parts = [...new Set([...fields, ...withdrawals.flatMap(({ details }) => Object.keys(details))])]
  const lines = withdrawals.map(({ userId, trx, details, currency, paidOut }) =>
    csvLine([
      trx,
      names.get(userId),
      ...parts.map((label) => (Object.hasOwn(details, label) ? details[label] : '')),
      currency.toUpperCase(),
      moneyText(paidOut),
      `Withdrawal ${trx}`,
    ]),
  )
  // The byte-order mark makes spreadsheets read UTF-8.
  return `\uFEFF${csvLine(['trx', 'full_name', ...parts, 'currency', 'amount', 'reference'])}${lines.join('')}`
}
