import ChevronUp from 'lucide-react/icons/chevron-up'
import { Link } from '#ui/link.tsx'
import { OutcomeDisc } from '#ui/pill.tsx'
import { t } from '#web/i18n/t.ts'
import { resultPath, resultText } from '#web/toasts/result-text.ts'
import { useUnseenResults } from '#web/live/unseen-results.ts'
import { outcomeOf } from '#web/receipts/order-text.ts'

/** The newest result that the user has not seen, in a row of 60 px. The row stays until the user opens the result. */
export function UnseenRow() {
  const [newest, ...others] = useUnseenResults()
  if (newest === undefined) return null
  return (
    <Link
      href={resultPath(newest)}
      className="flex min-h-15 items-center gap-3 border-t border-line bg-surface px-4 py-2 text-start focus-visible:-outline-offset-2"
    >
      <span className="sr-only">{t('trade.show_result')} </span>
      <OutcomeDisc outcome={outcomeOf(newest)} size={24} />
      <span className="min-w-0 flex-1">
        <span className="text-small font-semibold">{resultText(newest)}</span>
      </span>
      {others.length > 0 && (
        <span dir="ltr" className="num text-label text-fg-3">
          +{others.length}
        </span>
      )}
      <ChevronUp size={18} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
    </Link>
  )
}
