import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { utcText } from '#core/time/utc-text.ts'
import { groupedNumber } from '#ui/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** Formats a number with two decimals: "1,800.00". */
export function amount(value: number): string {
  return groupedNumber(value.toFixed(2))
}

/** Formats a price with its symbol's decimals, "50,000.00", or a dash for null. */
export function price(value: number | null, decimals: number): string {
  return value === null ? '–' : groupedNumber(value.toFixed(decimals))
}

/** Formats an amount of the base currency: "$1,800.00". */
export function money(value: number): string {
  return value < 0 ? `\u2212$${amount(-value)}` : `$${amount(value)}`
}

/** Formats an ISO time as "21 Nov 2026, 11:19:44" in UTC, like every time in the back office. */
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

/** Formats an ISO time as "21 Nov, 11:19", without year and seconds. */
export function shortTime(iso: string): string {
  return SHORT_TIME.format(new Date(iso))
}

/** Formats the base currency or the dollar as "$1,800.00", other currencies as "99.99 EUR". */
export function payment(value: number, currency: string): string {
  return DOLLARS.has(currency) ? money(value) : `${amount(value)} ${currency}`
}

const DOLLARS: ReadonlySet<string> = new Set([BASE_CURRENCY, 'USD'])

/** Formats the time between two ISO times, or until now: "3 h 12 m". */
export function age(from: string, until: number = Date.now()): string {
  return duration(until - Date.parse(from))
}

/** Formats a duration: "3 h 12 m". */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 1) return t('age.less')
  if (minutes < 60) return t('age.minutes', { count: minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return t('age.hours', { hours, minutes: String(minutes % 60).padStart(2, '0') })
  return t('age.days', { days: Math.floor(hours / 24), hours: hours % 24 })
}

const OVERDUE_MS = 2 * 3_600_000

/** Whether a request has waited longer than the limit for staff to decide. */
export function isOverdue(from: string): boolean {
  return Date.now() - Date.parse(from) > OVERDUE_MS
}
