import type { MarketList } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { Alert } from '#ui/alert.tsx'
import { cx } from '#ui/cx.ts'
import { weekdayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { leftText, type MarketClock } from '#web/symbols/market-clock.ts'
import { useMarketClock } from '#web/symbols/use-market-clock.ts'

type Hours = MarketList['market_hours'][MarketType]

interface OfMarket {
  list: MarketList
  marketType: MarketType
}

/**
 * Whether a market is open, and until when: a dot and a text. `saysClosed` is false where a notice or bar beside it
 * shows the closure.
 */
export function MarketState({ list, marketType, saysClosed = true }: OfMarket & { saysClosed?: boolean }) {
  const { isOpen, closesInMs } = useMarketClock(list, marketType)
  if (!isOpen && !saysClosed) return null
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <i
        className={cx('size-1.5 rounded-full', !isOpen ? 'bg-line-strong' : closesInMs === null ? 'bg-ok' : 'bg-flame')}
        aria-hidden="true"
      />
      {!isOpen ? (
        t('market.closed')
      ) : closesInMs === null ? (
        openText(list.market_hours[marketType])
      ) : (
        <Countdown text={t('market.closes_in', { time: leftText(closesInMs) })}>
          {openText(list.market_hours[marketType])}
        </Countdown>
      )}
    </span>
  )
}

/** A notice above the symbols of a closed market: why it is closed, when it opens, and the time until then. */
export function ClosedNotice({ list, marketType, className }: OfMarket & { className?: string }) {
  const { isOpen, opensInMs } = useMarketClock(list, marketType)
  if (isOpen) return null
  return (
    <Alert tone="info" title={t('market.closed')} className={className} action={<OpensIn leftMs={opensInMs} />}>
      {closedText(list.market_hours[marketType])}
    </Alert>
  )
}

/** "opens in 6:05:00". Hidden from screen readers, because the text beside it states the opening time. */
export function OpensIn({ leftMs }: { leftMs: MarketClock['opensInMs'] }) {
  if (leftMs === null) return null
  return (
    <span className="shrink-0 text-end text-label font-semibold text-brand">
      <Countdown text={t('market.opens_in', { time: leftText(leftMs) })} />
    </span>
  )
}

/** A text that changes every second. Screen readers get `children` instead. */
export function Countdown({ text, children }: { text: string; children?: string }) {
  return (
    <>
      <span className="tabular-nums" aria-hidden="true">
        {text}
      </span>
      {children !== undefined && <span className="sr-only">{children}</span>}
    </>
  )
}

/** Returns why a market is closed, if a reason exists, and when it opens. */
export function closedText(hours: Hours): string {
  const next = hours.opens_at === null ? '' : t('market.opens', { time: weekdayAndTimeText(hours.opens_at) })
  return [hours.reason, next].filter(Boolean).join(' ')
}

function openText(hours: Hours): string {
  return hours.closes_at === null
    ? t('market.open_always')
    : t('market.open_until', { time: weekdayAndTimeText(hours.closes_at) })
}
