import { isolated } from '#messages/find-text.ts'
import { clockOffsetMs, clockText, clockZone } from '#web/i18n/clock.ts'
import { currentLanguage } from '#web/i18n/language.ts'

// Formats dates and times in the time zone that the user chose.

/** Formats "21 Nov 14:37:02 UTC", with the day in the page's language and the time in Western digits. */
export function dayAndTimeText(at: number): string {
  return together(at, dayText(at), clockText(at).slice(11, 19))
}

/** Formats "21 Nov 2026 14:37:02 UTC", for times that may be far away. */
export function fullDayAndTimeText(at: number): string {
  return together(at, fullDayText(at), clockText(at).slice(11, 19))
}

/** Formats "21 Nov 14:37:02.084 UTC". */
export function dayAndTimeMsText(at: number): string {
  return together(at, dayText(at), clockText(at).slice(11))
}

/** Formats "Mon 14:30 UTC". */
export function weekdayAndTimeText(at: number): string {
  return together(at, weekdayText(at), clockText(at).slice(11, 16))
}

/**
 * Joins day and time. In right-to-left languages the joined text is one right-to-left run. Without this run, the text
 * would have no direction inside a sentence, and the time would come before the day.
 */
function together(at: number, day: string, time: string): string {
  const language = currentLanguage()
  const joined = `${isolated(day, language)} ${isolated(`${time} ${clockZone(at)}`, language)}`
  return language.dir === 'rtl' ? `${RIGHT_TO_LEFT}${joined}${END_ISOLATE}` : joined
}

const RIGHT_TO_LEFT = '\u2067'
const END_ISOLATE = '\u2069'

/** Formats a day with its year, "21 Nov 2026", for dates that may be old. */
export function fullDayText(at: number): string {
  if (!isKnown(currentLanguage().tag)) return `${dayText(at)}ی ${clockText(at).slice(0, 4)}`
  return dayText(at, { year: 'numeric' })
}

/** Formats a day in the page's language with Western digits: "21 Nov", "21. Nov.", "11月21日". */
export function dayText(at: number, more: { year?: 'numeric' } = {}): string {
  const { tag } = currentLanguage()
  if (!isKnown(tag)) {
    const shown = new Date(at + clockOffsetMs(at))
    return `${shown.getUTCDate()}ی ${SORANI_MONTHS[shown.getUTCMonth()] ?? ''}`
  }
  // British English puts the day first, like all other languages of the app.
  return new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    ...more,
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).format(at + clockOffsetMs(at))
}

function weekdayText(at: number): string {
  return weekdayName(new Date(at + clockOffsetMs(at)).getUTCDay())
}

/** Formats a day of the week, 0 for Sunday: "Mon", "lun.", "月". */
export function weekdayName(weekday: number): string {
  const { tag } = currentLanguage()
  if (!isKnown(tag)) return SORANI_DAYS[weekday] ?? ''
  // 4 January 1970 was a Sunday.
  const day = Date.UTC(1970, 0, 4 + weekday)
  return new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC', calendar: 'gregory' }).format(day)
}

/**
 * Whether the browser has data for a language. Browsers without Sorani would use their own language instead. The Sorani
 * months and days in this file come from the CLDR.
 */
function isKnown(tag: string): boolean {
  return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
}

const SORANI_DAYS = ['یەکشەممە', 'دووشەممە', 'سێشەممە', 'چوارشەممە', 'پێنجشەممە', 'ھەینی', 'شەممە']
const SORANI_MONTHS = [
  'کانوونی دووەم',
  'شوبات',
  'ئازار',
  'نیسان',
  'ئایار',
  'حوزەیران',
  'تەمووز',
  'ئاب',
  'ئەیلوول',
  'تشرینی یەکەم',
  'تشرینی دووەم',
  'کانونی یەکەم',
]
