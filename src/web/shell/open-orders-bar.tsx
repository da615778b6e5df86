import ChevronUp from 'lucide-react/icons/chevron-up'
import { useState } from 'react'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { formatCountdown } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { latePart } from '#web/parts/late-part.tsx'

const OpenOrdersSheet = latePart(async () => (await import('#web/shell/open-orders-sheet.tsx')).OpenOrdersSheet)

/** A row of 60 px for open orders that are not on screen. A press shows the order, or the overview of several orders. */
export function OpenOrdersBar({
  running,
  onShow,
}: {
  running: readonly PlacedOrder[]
  onShow: (order: PlacedOrder) => void
}) {
  const now = useServerSecond()
  const [overview, setOverview] = useState<'unused' | 'open' | 'closed'>('unused')
  const next = running.find((order) => order.expiresAt > now) ?? running[0]
  if (next === undefined) return null
  const leftMs = Math.max(0, next.expiresAt - now)
  const hasSeveral = running.length > 1
  return (
    <>
      <button
        type="button"
        aria-haspopup={hasSeveral ? 'dialog' : undefined}
        onClick={() => (hasSeveral ? setOverview('open') : onShow(next))}
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
        <span className="sr-only">{t(hasSeveral ? 'trade.show_orders' : 'trade.show_order')}</span>
      </button>
      {overview !== 'unused' && (
        <OpenOrdersSheet
          open={overview === 'open'}
          onClose={() => setOverview('closed')}
          running={running}
          onShow={onShow}
        />
      )}
    </>
  )
}
