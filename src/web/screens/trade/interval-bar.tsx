import Bell from 'lucide-react/icons/bell'
import Expand from 'lucide-react/icons/expand'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import Shrink from 'lucide-react/icons/shrink'
import { useEffect, useState } from 'react'
import type { SymbolItem } from '#contract/markets.ts'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { Chips } from '#ui/chips.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { useToast } from '#ui/toast.tsx'
import { placedAlert } from '#web/alerts/placed-alert.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { changeDesk, isDeskUnreadable, useDesk } from '#web/options/desk.ts'
import { useSession } from '#web/session/session.ts'
import { useMedia, WIDE } from '#web/screens/trade/use-media.ts'
import { latePart } from '#web/parts/late-part.tsx'

const ChartSettings = latePart(async () => {
  const [settings] = await Promise.all([import('#web/chart/settings/chart-settings.tsx'), loadTexts('more')])
  return settings.ChartSettings
})

/** The content of the chart: candles of an interval, or the price during the open order. */
export type ChartView = ChartInterval | 'order'

interface IntervalBarProps {
  /** Null while a line of ticks is shown. */
  value: ChartView | null
  onChange: (view: ChartView) => void
  hasOrder: boolean
  /** Called when an action of the user needs the chart, which the table may hide. */
  onChart: () => void
  isExpanded: boolean
  onExpand: () => void
  /** How many indicators can have a pane of their own now. */
  maxPanes: number
  item: Pick<SymbolItem, 'symbol' | 'market_type' | 'decimals'>
}

/**
 * The row above the chart. "Order" is always first, enabled or not, so that no chip moves when an order starts or ends.
 */
export function IntervalBar(props: IntervalBarProps) {
  const { value, onChange, hasOrder, onChart, isExpanded, onExpand, maxPanes, item } = props
  const { interval: chosen } = useDesk()
  const isWide = useMedia(WIDE)
  const isVerified = useSession()?.user.ev === true
  const [settings, setSettings] = useState<'unused' | 'open' | 'closed'>('unused')
  useDeskNotice()
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
      <Chips
        label={t('chart.interval')}
        options={[order, ...intervals]}
        value={value}
        onChange={onChange}
        className="min-w-0"
      />
      <div className="flex shrink-0">
        {isVerified && (
          <IconButton
            tight
            label={t('chart.alert')}
            onClick={() => {
              onChart()
              placedAlert.set({ symbol: item.symbol, id: null, level: null })
              // Only candles show alerts, so the view of an order or of ticks changes to candles.
              if (value !== chosen) onChange(chosen)
            }}
            icon={<Bell size={18} strokeWidth={1.75} aria-hidden="true" />}
          />
        )}
        <IconButton
          tight
          label={t('chart.settings')}
          data-key="c"
          onClick={() => setSettings('open')}
          icon={<SlidersHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />}
        />
        <IconButton
          tight
          label={t(isExpanded ? 'chart.shrink' : 'chart.expand')}
          onClick={onExpand}
          icon={<Icon size={18} strokeWidth={1.75} aria-hidden="true" />}
        />
      </div>
      {settings !== 'unused' && (
        <ChartSettings
          open={settings === 'open'}
          onClose={() => setSettings('closed')}
          // The expanded chart of phones has room for three panes.
          maxPanes={isWide ? 5 : 3}
          roomForPanes={maxPanes}
          onLarge={() => {
            setSettings('closed')
            onExpand()
          }}
          hasVolume={item.market_type !== 'us_fx'}
          symbol={item.symbol}
          decimals={item.decimals}
          onTool={() => {
            onChart()
            setSettings('closed')
            // Only candles show drawings, so the view of an order or of ticks changes to candles.
            if (value !== chosen) onChange(chosen)
          }}
        />
      )}
    </div>
  )
}

/** Shows a message once when the stored settings of the chart cannot be read, and stores the presets. */
function useDeskNotice(): void {
  const toast = useToast()
  useEffect(() => {
    if (!isDeskUnreadable()) return
    changeDesk({})
    void loadTexts('more').then(() => toast({ tone: 'info', text: t('desk.unreadable') }))
  }, [toast])
}
