import type { MarketList } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { cx } from '#ui/cx.ts'
import { weekdayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { useMarketStatus } from '#web/live/live-store.ts'

type Hours = MarketList['market_hours'][MarketType]

/** Open or closed, and until when: a dot and words. */
export function MarketState({ list, marketType }: { list: MarketList; marketType: MarketType }) {
  const live = useMarketStatus()
  const isOpen = (live ?? list.market_status)[marketType]
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <i className={cx('size-1.5 rounded-full', isOpen ? 'bg-ok' : 'bg-line-strong')} aria-hidden="true" />
      {isOpen ? openText(list.market_hours[marketType]) : t('market.closed')}
    </span>
  )
}

/** What stands under the tabs while a market is closed. */
export function closedText(hours: Hours): string {
  const next = hours.opens_at === null ? '' : t('market.opens', { time: weekdayAndTimeText(hours.opens_at) })
  return [hours.reason, next].filter(Boolean).join(' ')
}

function openText(hours: Hours): string {
  return hours.closes_at === null
    ? t('market.open_always')
    : t('market.open_until', { time: weekdayAndTimeText(hours.closes_at) })
}
