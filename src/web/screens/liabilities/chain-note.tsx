import Link2 from 'lucide-react/icons/link-2'
import { Alert } from '#ui/alert.tsx'
import { t } from '#web/i18n/t.ts'

/** Whether the shown days form an unbroken hash chain, as computed by this browser. */
export function ChainNote({ holds }: { holds: boolean }) {
  if (!holds) {
    return (
      <Alert tone="danger" title={t('liabilities.differs')} className="mb-2">
        {t('liabilities.chain_broken')}
      </Alert>
    )
  }
  return (
    <p className="mb-2 flex items-start gap-2 text-label text-fg-2">
      <Link2 size={16} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ok" aria-hidden="true" />
      {t('liabilities.chain_holds')}
    </p>
  )
}
