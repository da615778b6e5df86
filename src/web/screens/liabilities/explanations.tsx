import type { ReactNode } from 'react'
import { Card } from '#ui/card.tsx'
import { t } from '#web/i18n/t.ts'

const COMMAND = 'npm run check:liabilities -- FILE'

/**
 * Explains what the figures prove and do not prove, what they reveal about users, and how to check them without this
 * site.
 */
export function Explanations() {
  return (
    <div className="mt-6 flex flex-col gap-6 [main:has([aria-busy=true])_&]:invisible">
      <Explained title={t('liabilities.proves_title')}>
        <p>{t('liabilities.proves')}</p>
        <p>{t('liabilities.counted')}</p>
      </Explained>
      <Explained title={t('liabilities.not_title')}>
        <p>{t('liabilities.not')}</p>
      </Explained>
      <Explained title={t('liabilities.private_title')}>
        <p>{t('liabilities.private')}</p>
        <p>{t('liabilities.private_limits')}</p>
      </Explained>
      <Explained title={t('liabilities.check_title')}>
        <p className="wrap-anywhere">{t('liabilities.check')}</p>
        <p className="mono rounded-field bg-surface-2 px-3.5 py-2 break-all" dir="ltr">
          {COMMAND}
        </p>
      </Explained>
    </div>
  )
}

function Explained({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-heading">{title}</h2>
      <Card className="flex flex-col gap-3 text-small text-fg-2">{children}</Card>
    </section>
  )
}
