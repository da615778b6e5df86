import Expand from 'lucide-react/icons/expand'
import Shrink from 'lucide-react/icons/shrink'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { Chips } from '#ui/chips.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { t } from '#web/i18n/t.ts'

/** The content of the chart: candles of an interval, or the price during the open order. */
export type ChartView = ChartInterval | 'order'

interface IntervalBarProps {
  value: ChartView
  onChange: (view: ChartView) => void
  hasOrder: boolean
  isExpanded: boolean
  onExpand: () => void
}

/**
 * The row above the chart. "Order" is always first, enabled or not, so that no chip moves when an order starts or ends.
 */
export function IntervalBar({ value, onChange, hasOrder, isExpanded, onExpand }: IntervalBarProps) {
  const Icon = isExpanded ? Shrink : Expand
  const intervals = CHART_INTERVALS.map((interval) => ({ value: interval as ChartView, label: interval as string }))
  const order = {
    value: 'order' as const,
    label: t('chart.order'),
    spoken: t('chart.order_spoken'),
    disabled: !hasOrder,
  }
  return (
    <div className="flex h-10 shrink-0 items-center justify-between border-t border-line ps-2.5 pe-1.5">
      <Chips label={t('chart.interval')} options={[order, ...intervals]} value={value} onChange={onChange} />
      <IconButton
        tight
        label={t(isExpanded ? 'chart.shrink' : 'chart.expand')}
        onClick={onExpand}
        icon={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
      />
    </div>
  )
}
