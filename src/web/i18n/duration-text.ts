import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { currentLanguage } from '#web/i18n/language.ts'

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const

/** Formats a duration in the page's language with Western digits: "640 ms", "1.2 sec", "3.5 hr". */
export function durationText(ms: number): string {
  const [unit, length] = UNITS.find(([, from]) => ms >= from) ?? (['millisecond', 1] as const)
  return new Intl.NumberFormat([currentLanguage().tag, 'en'], {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
    numberingSystem: 'latn',
  }).format(ms / length)
}
