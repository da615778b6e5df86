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
  const phones = new Set(form.filter(({ type }) => type === 'tel').map(({ label }) => label))
  const cell = (label: string, text: string) => (phones.has(label) ? compactPhone(text) : text)
  const fields = form.filter(({ type }) => type !== 'file').map(({ label }) => label)
  const parts = [...new Set([...fields, ...withdrawals.flatMap(({ details }) => Object.keys(details))])]
  const lines = withdrawals.map(({ userId, trx, details, currency, paidOut }) =>
    csvLine([
      trx,
      names.get(userId),
      ...parts.map((label) => (Object.hasOwn(details, label) ? cell(label, details[label] ?? '') : '')),
      currency.toUpperCase(),
      moneyText(paidOut),
      `Withdrawal ${trx}`,
    ]),
  )
  // The byte-order mark makes spreadsheets read UTF-8.
  return `\uFEFF${csvLine(['trx', 'full_name', ...parts, 'currency', 'amount', 'reference'])}${lines.join('')}`
}

/**
 * Writes an international phone number without blanks, because the portal would get one with blanks as guarded text.
 * Other numbers stay as typed: a zero in brackets, for example, is no part of the number abroad.
 */
function compactPhone(text: string): string {
  const compact = text.replace(/[\s.-]/g, '')
  return /^\+\d+$/.test(compact) ? compact : text
}
