import { money } from '#back-office/i18n/format.ts'

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
/** Amounts of 1,000 or more are shown in compact form, "$1.2K", because the full form is too long. */
const COMPACT_FROM = 1_000

/** Formats an amount for narrow places: "$1.2M", "−$242.50". Small amounts keep their cents. */
export function shortMoney(value: number): string {
  if (Math.abs(value) < COMPACT_FROM) return Number.isInteger(value) ? money(value).replace('.00', '') : money(value)
  return `${value < 0 ? '\u2212' : ''}$${COMPACT.format(Math.abs(value))}`
}

const COUNT = new Intl.NumberFormat('en')

/** Formats a whole number: "12,345". */
export function whole(value: number): string {
  return COUNT.format(value)
}
