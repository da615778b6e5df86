import { money } from '#back-office/i18n/format.ts'

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
/** From here on an amount is short enough only as "$1.2K". */
const COMPACT_FROM = 1_000

/** "$1.2M", "−$242.50": an amount where there is no room for all of it; cents are written as everywhere. */
export function shortMoney(value: number): string {
  if (Math.abs(value) < COMPACT_FROM) return Number.isInteger(value) ? money(value).replace('.00', '') : money(value)
  return `${value < 0 ? '\u2212' : ''}$${COMPACT.format(Math.abs(value))}`
}

const COUNT = new Intl.NumberFormat('en')

/** "12,345" */
export function whole(value: number): string {
  return COUNT.format(value)
}
