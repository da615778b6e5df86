import ShieldCheck from 'lucide-react/icons/shield-check'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** A link to the page that recalculates an order's result, or shows signed receipts where there is no result. */
export function CheckLink({ trx, hasResult = true }: { trx: string; hasResult?: boolean }) {
  return (
    <Link
      href={`/check/${trx}`}
      className="hit mt-2 inline-flex items-center gap-1.5 text-label font-semibold text-brand"
    >
      <ShieldCheck size={16} strokeWidth={1.75} aria-hidden="true" />
      {t(hasResult ? 'trade.check' : 'trade.receipt')} <span className="mono font-normal text-fg-3">{trx}</span>
    </Link>
  )
}
