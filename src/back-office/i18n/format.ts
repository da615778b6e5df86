import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { utcText } from '#core/time/utc-text.ts'
import { groupedNumber } from '#ui/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** "1,800.00" of a number with at most two decimals. */
export function amount(value: number): string {
  return groupedNumber(value.toFixed(2))
}

/** "50,000.00" with the decimals of its symbol, a dash for none. */
export function price(value: number | null, decimals: number): string {
  return value === null ? '–' : groupedNumber(value.toFixed(decimals))
}

/** "$1,800.00": an amount of the base currency. */
export function money(value: number): string {
  return value < 0 ? `\u2212$${amount(-value)}` : `$${amount(value)}`
}

/** "21 Nov 2026, 11:19:44" of an ISO time, in UTC as everywhere in the back office. */
export function time(iso: string): string {
  return utcText(Date.parse(iso))
}

const SHORT_TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** "21 Nov, 11:19" of an ISO time, where the year and the second do not matter. */
export function shortTime(iso: string): string {
  return SHORT_TIME.format(new Date(iso))
}

/** "$1,800.00" of the base currency or the dollar, "99.99 EUR" of any other. */
export function payment(value: number, currency: string): string {
  return DOLLARS.has(currency) ? money(value) : `${amount(value)} ${currency}`
}

const DOLLARS: ReadonlySet<string> = new Set([BASE_CURRENCY, 'USD'])

/** "3 h 12 m" between two ISO times, or until now. */
export function age(from: string, until: number = Date.now()): string {
  return duration(until - Date.parse(from))
}

/** "3 h 12 m" */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 1) return t('age.less')
  if (minutes < 60) return t('age.minutes', { count: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return t('age.hours', { hours, minutes: String(minutes % 60).padStart(2, '0') })
  return t('age.days', { days: Math.floor(hours / 24), hours: hours % 24 })
}

const OVERDUE_MS = 2 * 3_600_000

/** Whether somebody has waited longer than anyone should. */
export function isOverdue(from: string): boolean {
  return Date.now() - Date.parse(from) > OVERDUE_MS
}
