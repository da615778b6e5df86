import { t } from '#back-office/i18n/t.ts'

/** What has to stand beside a source whose prices nobody pays just now; null beside a real one. */
export function sourceMark(source: string | null): string | null {
  if (source === 'synthetic') return t('dashboard.source_simulated')
  return source === 'replay' ? t('dashboard.source_recorded') : null
}

/** The name of a source, with that mark. */
export function sourceName(source: string): string {
  const mark = sourceMark(source)
  return mark === null ? source : `${source} (${mark})`
}
