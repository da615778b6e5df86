import CircleOff from 'lucide-react/icons/circle-off'
import RadioTower from 'lucide-react/icons/radio-tower'
import Undo2 from 'lucide-react/icons/undo-2'
import type { LucideIcon } from 'lucide-react/types'
import type { IncidentOut } from '#contract/incidents.ts'
import { Card } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { formatCount } from '#ui/format.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { durationText } from '#web/i18n/duration-text.ts'
import { t } from '#web/i18n/t.ts'

const ICONS: Readonly<Record<IncidentOut['kind'], LucideIcon>> = { void: Undo2, gap: CircleOff, feed: RadioTower }

/** One incident: its kind, symbol, time, duration, and effect on orders. */
export function IncidentCard({ incident }: { incident: IncidentOut }) {
  const { kind, cause, symbol, source, from_ms, to_ms, orders_refunded } = incident
  const Icon = ICONS[kind]
  const lengthMs = to_ms === null ? 0 : to_ms - from_ms
  return (
    <Card padded={false} className="flex items-start gap-3 px-4 py-3">
      <span
        className={cx(
          'mt-0.5 grid size-8 shrink-0 place-items-center rounded-full',
          orders_refunded ? 'bg-warn-tint text-warn' : 'bg-surface-2 text-fg-2',
        )}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="text-small font-semibold">{t(`incidents.${cause}`)}</h2>
        <p className="flex flex-wrap gap-x-2 text-label text-fg-2">
          {symbol !== null && <bdi className="font-semibold text-fg">{symbol}</bdi>}
          {source !== null && <bdi>{source}</bdi>}
        </p>
        <p className="text-label text-fg-2 tabular-nums">
          {dayAndTimeText(from_ms)}
          {to_ms === null ? ` · ${t('incidents.lasts')}` : lengthMs > 0 && ` · ${durationText(lengthMs)}`}
        </p>
        {orders_refunded !== null && orders_refunded > 0 && (
          <p className="mt-1.5 flex justify-between gap-3 border-t border-line pt-1.5 text-label">
            <span className="text-fg-2">{t('incidents.refunded')}</span>
            <b className="num">{formatCount(orders_refunded)}</b>
          </p>
        )}
      </div>
    </Card>
  )
}
