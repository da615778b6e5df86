import { t } from '#back-office/i18n/t.ts'

/** Returns the mark to show beside a source without live market prices; null for a live source. */
export function sourceMark(source: string | null): string | null {
  if (source === 'synthetic') return t('dashboard.source_simulated')
  return source === 'replay' ? t('dashboard.source_recorded') : null
}

/** Returns the name of a source with its mark. */
export function sourceName(source: string): string {
  const mark = sourceMark(source)
  return mark === null ? source : `${source} (${mark})`
}
