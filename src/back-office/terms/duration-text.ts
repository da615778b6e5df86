import { lengthParts } from '#core/time/length-parts.ts'
import { t } from '#back-office/i18n/t.ts'

/** Formats seconds: "5 min", "1 min 2 s". */
export function durationText(seconds: number): string {
  return lengthParts(seconds)
    .map(({ unit, count }) => t(`markets.length_${unit}`, { value: count }))
    .join(' ')
}
