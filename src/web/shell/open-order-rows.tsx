import type { MarketList } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { formatCountdown, groupedNumber } from '#ui/format.ts'
import { cx } from '#ui/cx.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { BUY } from '#core/orders/order.ts'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useTick } from '#web/live/live-store.ts'
import { type PlacedOrder, standing } from '#web/live/placed-order.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { differenceText, directionText, lengthText, toneOf } from '#web/receipts/order-text.ts'
import { DIMMED_OFFLINE, ListedMark } from '#web/symbols/live-figures.tsx'
import { type OrderSymbol, symbolOfOrder } from '#web/symbols/order-symbol.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

interface OpenOrderRowsProps {
  list: Pick<MarketList, 'currencies'>
  /** The user's loaded orders; null before loading. */
  trades: readonly OwnTrade[] | null
  running: readonly PlacedOrder[]
  onShow: (order: PlacedOrder) => void
}

/** Open orders in rows of two lines, which fit a phone. A press shows the order. */
export function OpenOrderRows({ list, trades, running, onShow }: OpenOrderRowsProps) {
  const now = useServerSecond()
  return (
    <ul className="mt-2">
      {running.map((order) => (
        // Rows out of sight are not drawn, so that many orders do not slow the sheet down.
        <li
          key={order.id}
          className="border-t border-line [contain-intrinsic-size:auto_60px] [content-visibility:auto]"
        >
          <OrderRow
            item={symbolOfOrder(list, order.symbol, trades)}
            order={order}
            leftMs={Math.max(0, order.expiresAt - now)}
            onShow={onShow}
          />
        </li>
      ))}
    </ul>
  )
}

interface OrderRowProps {
  item: OrderSymbol
  order: PlacedOrder
  leftMs: number
  onShow: (order: PlacedOrder) => void
}

function OrderRow({ item, order, leftMs, onShow }: OrderRowProps) {
  const tick = useTick(order.symbol)
  const side = tick === null ? 0 : standing(order, tick.price)
  const isBuy = order.direction === BUY
  return (
    <button
      type="button"
      onClick={() => onShow(order)}
      className="flex min-h-15 w-full flex-wrap items-center gap-x-3 py-2 text-start focus-visible:-outline-offset-2"
    >
      <ListedMark item={item} size={28} />
      <span className="min-w-min flex-1">
        <span className="flex flex-wrap items-center gap-x-1.5 text-small font-semibold">
          <span className={isBuy ? 'text-up' : 'text-down'}>
            <DirectionArrow direction={isBuy ? 'up' : 'down'} size={14} />
          </span>
          {directionText(order.direction)} <span dir="ltr">{titleOf(item.symbol, item.market_type)}</span>
          <span className="font-normal text-fg-3">{lengthText(order.seconds)}</span>
        </span>
        {tick !== null && (
          <span className={cx('block text-label text-fg-2', DIMMED_OFFLINE)}>
            <span dir="ltr" className="num">
              {groupedNumber(priceTextOf(tick.price, item.decimals))}
            </span>{' '}
            <span dir="ltr" className={cx('num font-semibold', toneOf(side))}>
              {differenceText(tick.price - order.entryPrice, item.decimals)}
            </span>{' '}
            {t(side > 0 ? 'trade.ahead' : side < 0 ? 'trade.behind' : 'trade.level')}
          </span>
        )}
      </span>
      <span className="ms-auto text-end">
        <span dir="ltr" className="num block text-small font-semibold">
          {spoken(ownMoney(moneyOf(order.stake)))}
        </span>
        <span className="num block text-label text-fg-3">
          {order.awaitingRecord === undefined
            ? formatCountdown(leftMs)
            : t('trade.awaiting_record', { provider: order.awaitingRecord })}
        </span>
      </span>
      <span className="sr-only">{t('trade.show_order')}</span>
    </button>
  )
}
