import ShieldCheck from 'lucide-react/icons/shield-check'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

interface CheckLinkProps {
  trx: string
  hasResult?: boolean
  /**
   * The reference belongs to a deposit, a withdrawal or an adjustment, so the check page does not look for an order.
   */
  isMoney?: boolean
}

/** A link to the page that recalculates an order's result, or shows signed receipts where there is no result. */
export function CheckLink({ trx, isMoney = false, hasResult = !isMoney }: CheckLinkProps) {
  return (
    <Link
      href={`/check/${trx}${isMoney ? '?of=money' : ''}`}
      className="hit mt-2 inline-flex items-center gap-1.5 text-label font-semibold text-brand"
    >
      <ShieldCheck size={16} strokeWidth={1.75} aria-hidden="true" />
      {t(hasResult ? 'trade.check' : 'trade.receipt')} <span className="mono font-normal text-fg-3">{trx}</span>
    </Link>
  )
}
