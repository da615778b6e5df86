import { groupedNumber } from '#ui/format.ts'
import { t } from '#admin/t.ts'

/** "1,800.00" of a number with at most two decimals. */
export function amount(value: number): string {
  return groupedNumber(value.toFixed(2))
}

/** "$1,800.00": an amount of the base currency. */
export function money(value: number): string {
  return value < 0 ? `\u2212$${amount(-value)}` : `$${amount(value)}`
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** "21 Nov 2026, 11:19:44" of an ISO time, in UTC as everywhere in the back office. */
export function time(iso: string): string {
  return TIME.format(new Date(iso))
}

/** "3 h 12 m" between two ISO times, or until now. */
export function age(from: string, until: number = Date.now()): string {
  const minutes = Math.max(0, Math.floor((until - Date.parse(from)) / 60_000))
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
