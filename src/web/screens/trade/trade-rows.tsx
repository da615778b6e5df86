import Repeat from 'lucide-react/icons/repeat'
import type { PublicTrade } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { OutcomeDisc } from '#ui/pill.tsx'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { Triangle } from '#ui/triangle.tsx'
import { clockTime } from '#web/i18n/clock.ts'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { directionText, outcomeOf, shortLength } from '#web/receipts/order-text.ts'
import { usePublicTrades } from '#web/screens/trade/use-public-trades.ts'
import { useGo } from '#web/session/navigation.ts'
import type { OwnTrades } from '#web/live/use-own-trades.ts'
import { shortTitleOf } from '#web/symbols/symbol-text.ts'

const ROW =
  'grid min-h-8.5 grid-cols-[minmax(0,1fr)_auto_84px_62px] items-center gap-2 text-label @max-[16rem]:flex @max-[16rem]:flex-wrap @max-[16rem]:py-1'
/** On narrow phones the name has a separate line, so that it is never cut. */
const NARROW_PUBLIC_ROW =
  '@max-[21rem]:grid-cols-[minmax(0,1fr)_84px_62px] @max-[21rem]:gap-y-0 @max-[21rem]:py-1 @max-[21rem]:*:first:col-span-full'

/** The newest orders of all users on this symbol, with masked names. */
export function PublicTrades({ code, decimals, own }: { code: string; decimals: number; own: OwnTrades }) {
  const query = usePublicTrades(code, true)
  if (query.isPending) return <Loading />
  if (query.isError && !query.data) return <Failed onRetry={() => void query.refetch()} />
  if (query.data.length === 0) return <Empty title={t('trade.no_transactions')}>{t('trade.no_public')}</Empty>
  return (
    <ul>
      {query.data.map((trade) => (
        <PublicRow
          key={trade.id}
          trade={trade}
          decimals={decimals}
          isOwn={own.trades?.some(({ id }) => id === trade.id) || own.running.some(({ id }) => id === trade.id)}
        />
      ))}
    </ul>
  )
}

function PublicRow({ trade, decimals, isOwn }: { trade: PublicTrade; decimals: number; isOwn: boolean }) {
  return (
    <li className={cx(ROW, NARROW_PUBLIC_ROW)}>
      <span className="flex min-w-0 flex-wrap items-center gap-1.5 text-fg-2">
        {isOwn ? (
          <b className="font-semibold text-fg">{t('trade.you')}</b>
        ) : (
          <bdi className="wrap-anywhere">{trade.user}</bdi>
        )}
        {trade.is_bot && (
          <span className="rounded-pill bg-surface-2 px-1.5 text-[0.6875rem]/[1rem] font-semibold text-fg-2">
            {t('trade.bot')}
          </span>
        )}
      </span>
      <span dir="ltr" className="num font-list">
        {groupedNumber(priceTextOf(trade.price, decimals))}
      </span>
      <DirectionCell direction={trade.direction} seconds={trade.time} />
      <span dir="ltr" className="num text-right text-fg-3 rtl:text-left">
        {clockTime(Date.parse(trade.opened_at))}
      </span>
    </li>
  )
}

/** The user's own orders on all symbols, newest first. */
export function OwnTradeRows({ own, onRetry }: { own: OwnTrades; onRetry: () => void }) {
  if (own.trades === null) return own.isFailed ? <Failed onRetry={onRetry} /> : <Loading />
  if (own.trades.length === 0) return <Empty title={t('trade.no_transactions')} />
  return (
    <ul>
      {own.trades.map((trade) => (
        <OwnRow key={trade.id} trade={trade} />
      ))}
    </ul>
  )
}

function OwnRow({ trade }: { trade: OwnTrade }) {
  const isRunning = trade.result === 0
  const outcome = outcomeOf(trade)
  return (
    <li className="flex items-center">
      <div className={cx(ROW, 'flex-1 @max-[26rem]:flex @max-[26rem]:flex-wrap @max-[26rem]:gap-y-0')}>
        <span className="flex min-w-0 items-center gap-1.5">
          {isRunning ? (
            <i className="m-1 size-2 rounded-full bg-flame" aria-hidden="true" />
          ) : (
            <OutcomeDisc outcome={outcome} size={18} />
          )}
          <span dir="ltr" className={cx('num font-semibold', outcome === 'won' && !isRunning && 'text-up')}>
            {spoken(
              isRunning ? ownMoney(moneyOf(trade.amount)) : ownMoney(moneyOf(trade.result_amount ?? 0), { plus: true }),
            )}
          </span>
          <span className="sr-only">{stateText(trade)}</span>
          <span dir="ltr" className="text-caption text-fg-3">
            {shortTitleOf(trade.symbol, trade.market_type)}
          </span>
        </span>
        <span dir="ltr" className="num font-list">
          {groupedNumber(priceTextOf(trade.price_was, trade.decimals))}
        </span>
        <DirectionCell direction={trade.high_low} seconds={trade.trade_setting.time} />
        <span dir="ltr" className="num text-right text-fg-3 rtl:text-left">
          {clockTime(Date.parse(trade.opened_at))}
        </span>
      </div>
      <RepeatButton trade={trade} />
    </li>
  )
}

/** Fills the terms of an order into the form of its symbol, on every row alike. Sends nothing. */
function RepeatButton({ trade }: { trade: OwnTrade }) {
  const go = useGo()
  const { symbol, high_low: direction, trade_setting: setting, amount, profit_percentage: payout } = trade
  return (
    <IconButton
      tight
      label={t('trade.repeat')}
      onClick={() => {
        orderToRepeat.set({ symbol, direction, seconds: setting.time, stake: moneyOf(amount), payout })
        go(`/trade/${symbol}`)
      }}
      icon={<Repeat size={16} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}

function stateText(trade: OwnTrade): string {
  if (trade.awaiting_record !== null) return t('trade.awaiting_record', { provider: trade.awaiting_record })
  return t(trade.result === 0 ? 'trade.running' : OUTCOME_WORDS[outcomeOf(trade)])
}

const OUTCOME_WORDS = {
  won: 'trade.won',
  lost: 'trade.lost',
  draw: 'trade.draw',
  void: 'trade.void',
  sold: 'trade.sold',
} as const

/** A cell such as "▲ Buy 5m". */
export function DirectionCell({ direction, seconds }: { direction: Direction; seconds: number }) {
  const isBuy = direction === BUY
  return (
    <span className={cx('flex items-center justify-end gap-1 font-semibold', isBuy ? 'text-up' : 'text-down')}>
      <Triangle direction={isBuy ? 'up' : 'down'} size={9} />
      {directionText(direction)}
      <span className="ms-0.5 font-medium text-fg-3">{shortLength(seconds)}</span>
    </span>
  )
}

function Loading() {
  return (
    <div aria-busy="true">
      <span className="sr-only">{t('trade.loading_transactions')}</span>
      <SkeletonRows count={3} rowHeight={34} />
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return <LoadError reason={t('common.load_failed')} retryLabel={t('common.try_again')} onRetry={onRetry} />
}
