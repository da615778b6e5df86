import { currentLanguage } from '#web/i18n/language.ts'

/** "21 Nov", "21. Nov.", "11月21日": a day in UTC as the language of the page writes it, in Western digits. */
export function dayText(at: number): string {
  const { tag } = currentLanguage()
  if (!isKnown(tag)) return `${new Date(at).getUTCDate()}ی ${SORANI_MONTHS[new Date(at).getUTCMonth()] ?? ''}`
  // Plain English dates put the day first, as all other languages here do.
  return new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).format(at)
}

/** "Mon", "lun.", "月": the day of the week in UTC. */
export function weekdayText(at: number): string {
  const { tag } = currentLanguage()
  if (!isKnown(tag)) return SORANI_DAYS[new Date(at).getUTCDay()] ?? ''
  return new Intl.DateTimeFormat(tag, { weekday: 'short', timeZone: 'UTC', calendar: 'gregory' }).format(at)
}

/** Browsers come without Sorani and would fall back to whatever they are set to. The words are those of the CLDR. */
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
