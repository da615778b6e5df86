import type { ReactNode } from 'react'
import { fadeEnds } from '#ui/fade-ends.ts'
import { t } from '#back-office/i18n/t.ts'

/** A part of a page that scrolls separately and can be scrolled by keyboard. */
export function Scrolled({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    <section
      ref={fadeEnds}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
      tabIndex={0}
      aria-label={t('common.table_of', { name: label })}
      className={`relative overflow-auto ${className}`}
    >
      {children}
    </section>
  )
}
