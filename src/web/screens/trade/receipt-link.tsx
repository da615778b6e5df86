import ShieldCheck from 'lucide-react/icons/shield-check'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** A link from an open order to its receipt. */
export function ReceiptLink({ trx, className }: { trx: string; className?: string }) {
  return (
    <Link
      href={`/check/${trx}`}
      title={t('trade.receipt')}
      className={cx(
        'hit flex size-6 shrink-0 items-center justify-center rounded-small text-fg-3 hover:text-brand',
        className,
      )}
    >
      <ShieldCheck size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="sr-only">
        {t('trade.receipt')} {trx}
      </span>
    </Link>
  )
}
