import type { ReactNode } from 'react'
import { t } from '#back-office/i18n/t.ts'

/** A part of a page that scrolls by itself, and can be reached and scrolled by keys. */
export function Scrolled({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
      tabIndex={0}
      aria-label={t('common.table_of', { name: label })}
      className={`relative overflow-auto ${className}`}
    >
      {children}
    </section>
  )
}
