import ChevronUp from 'lucide-react/icons/chevron-up'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { formatCountdown } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'

/** A row of 60 px for open orders that are not on screen. A press shows the order that settles next. */
export function OpenOrdersBar({
  running,
  onShow,
}: {
  running: readonly PlacedOrder[]
  onShow: (order: PlacedOrder) => void
}) {
  const now = useServerSecond()
  const next = running.find((order) => order.expiresAt > now) ?? running[0]
  if (next === undefined) return null
  const leftMs = Math.max(0, next.expiresAt - now)
  return (
    <button
      type="button"
      onClick={() => onShow(next)}
      className="flex min-h-15 w-full items-center gap-3 border-t border-line bg-surface px-4 py-1 text-start focus-visible:-outline-offset-2"
    >
      <CountdownRing size={40} stroke={4} fraction={leftMs / (next.seconds * 1000)} />
      <span className="min-w-0 flex-1">
        <span className="block text-small font-semibold">{t('trade.orders_running', { count: running.length })}</span>
        <span className="block text-caption tabular-nums text-fg-3">
          {next.awaitingRecord === undefined
            ? t('trade.next_settles', { time: formatCountdown(leftMs) })
            : t('trade.awaiting_record', { provider: next.awaitingRecord })}
        </span>
      </span>
      <ChevronUp size={18} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
      <span className="sr-only">{t('trade.show_order')}</span>
    </button>
  )
}
