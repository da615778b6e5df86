import ChevronRight from 'lucide-react/icons/chevron-right'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import type { LimitWindow } from '#web/limits/limit-text.ts'

interface LimitRowProps {
  label: string
  /** The group of the limit, for screen readers. */
  group?: string
  /** Null without a limit. The largest stake has only a value. */
  window: LimitWindow | Pick<LimitWindow, 'value'> | null
  onEdit: () => void
}

/** One limit: its value, and how much of it is used. A press opens the sheet that changes the limit. */
export function LimitRow({ label, group, window, onEdit }: LimitRowProps) {
  const isUsed = window !== null && 'used' in window
  return (
    <button
      type="button"
      onClick={onEdit}
      className="flex min-h-13 w-full items-center gap-3 py-2.5 ps-4 pe-3.5 text-start transition-colors hover:bg-surface-2 focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-list">
            {group !== undefined && <span className="sr-only">{group} </span>}
            {label}
          </span>
          <span
            className={window === null ? 'text-label text-fg-3' : 'num font-semibold'}
            dir={window ? 'ltr' : undefined}
          >
            {window === null ? t('limits.none') : formatMoney(moneyOf(window.value))}
          </span>
        </span>
        {isUsed && <Use window={window} />}
      </span>
      <ChevronRight size={18} className="flip text-fg-3" aria-hidden="true" />
    </button>
  )
}

function Use({ window }: { window: LimitWindow }) {
  const used = window.used + window.open
  const isOver = used > window.value
  const share = window.value === 0 ? 100 : Math.min(100, (100 * used) / window.value)
  const amounts = { used: formatMoney(moneyOf(used)), value: formatMoney(moneyOf(window.value)) }
  return (
    <>
      <span className="mt-1.5 mb-1 block h-1 rounded-full bg-surface-3" aria-hidden="true">
        <span className="block h-full rounded-full bg-fg-3" style={{ width: `${share}%` }} />
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-caption text-fg-2">
        <span>{isOver ? t('limits.over', amounts) : t('limits.used', amounts)}</span>
        <span>{t('limits.left', { left: formatMoney(moneyOf(window.left)) })}</span>
        {window.frees_at !== null && (
          <span className="w-full text-fg-3">
            {t('limits.frees', { time: dayAndTimeText(Date.parse(window.frees_at)) })}
          </span>
        )}
      </span>
    </>
  )
}
