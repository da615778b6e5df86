import { t } from '#admin/t.ts'

/** "5 min" of a length in seconds. */
export function lengthText(seconds: number): string {
  if (seconds % 86_400 === 0) return t('markets.length_days', { value: seconds / 86_400 })
  if (seconds % 3_600 === 0) return t('markets.length_hours', { value: seconds / 3_600 })
  if (seconds % 60 === 0) return t('markets.length_minutes', { value: seconds / 60 })
  return t('markets.length_seconds', { value: seconds })
}
