import type { MarketList } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { cx } from '#ui/cx.ts'
import { formatCountdown, groupedNumber } from '#ui/format.ts'
import { Empty } from '#ui/states.tsx'
import { useWidth } from '#ui/use-width.ts'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useTick } from '#web/live/live-store.ts'
import { type PlacedOrder, profitOf, standing } from '#web/live/placed-order.ts'
import { type OrderSymbol, symbolOfOrder } from '#web/symbols/order-symbol.ts'
import { differenceText, toneOf } from '#web/receipts/order-text.ts'
import { OpenOrderRows } from '#web/shell/open-order-rows.tsx'
import { OpenOrderSums } from '#web/shell/open-order-sums.tsx'
import { ReceiptLink } from '#web/screens/trade/receipt-link.tsx'
import { SymbolTitle } from '#web/screens/trade/trade-header.tsx'
import { DirectionCell } from '#web/screens/trade/trade-rows.tsx'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { DIMMED_OFFLINE, ListedMark } from '#web/symbols/live-figures.tsx'

interface OpenOrdersProps {
  list: MarketList
  /** The user's loaded orders; null before loading. */
  trades: readonly OwnTrade[] | null
  running: readonly PlacedOrder[]
  onShow: (order: PlacedOrder) => void
}

const COLUMNS = ['market', 'order', 'entry', 'now', 'difference', 'stake', 'if_right', 'settles_in'] as const

/** The narrowest list with room for the columns that are always shown, in px. */
const TABLE_WIDTH = 500
/** Columns that narrow lists omit, because the countdown panel shows them too. */
const HIDDEN: Partial<Record<(typeof COLUMNS)[number], string>> = {
  now: 'hidden @min-[760px]:table-cell',
  difference: 'hidden @min-[600px]:table-cell',
  if_right: 'hidden @min-[760px]:table-cell',
}

/** The open orders, each marked as winning or losing: the first tab below the chart. */
export function OpenOrders({ list, trades, running, onShow }: OpenOrdersProps) {
  const now = useServerSecond()
  const { ref, width } = useWidth<HTMLDivElement>()
  if (running.length === 0) return <Empty title={t('trade.no_open_orders')} />
  return (
    <div ref={ref} className="@container">
      <OpenOrderSums list={list} trades={trades} running={running} />
      {width > 0 && width < TABLE_WIDTH ? (
        <OpenOrderRows list={list} trades={trades} running={running} onShow={onShow} />
      ) : (
        <table className="w-full text-label">
          <thead>
            <tr className="text-caption text-fg-3">
              {COLUMNS.map((column, at) => (
                <th
                  key={column}
                  scope="col"
                  className={cx('h-9 px-2 font-medium', at < 1 ? 'text-start' : 'text-end', HIDDEN[column])}
                >
                  {t(`trade.${column}`)}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">{t('trade.receipt')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {running.map((order) => {
              const item = symbolOfOrder(list, order.symbol, trades)
              return <OrderRow key={order.id} item={item} order={order} now={now} onShow={onShow} />
            })}
          </tbody>
        </table>
      )}
    </div>
  )
}

interface OrderRowProps {
  item: OrderSymbol
  order: PlacedOrder
  now: number
  onShow: (order: PlacedOrder) => void
}

function OrderRow({ item, order, now, onShow }: OrderRowProps) {
  const tick = useTick(order.symbol)
  const side = tick === null ? 0 : standing(order, tick.price)
  const price = (value: number) => groupedNumber(priceTextOf(value, item.decimals))
  const leftMs = Math.max(0, order.expiresAt - now)
  return (
    <tr className="h-11 border-t border-line *:px-2">
      <td>
        <button type="button" onClick={() => onShow(order)} className="flex h-11 items-center gap-2">
          <ListedMark item={item} size={20} />
          <SymbolTitle item={item} className="whitespace-nowrap" />
          <span className="sr-only">{t('trade.show_order')}</span>
        </button>
      </td>
      <td>
        <DirectionCell direction={order.direction} seconds={order.seconds} />
      </td>
      <td dir="ltr" className="num text-right! rtl:text-left! font-list">
        {price(order.entryPrice)}
      </td>
      <td dir="ltr" className={cx('num text-right! rtl:text-left! font-list', DIMMED_OFFLINE, HIDDEN.now)}>
        {tick === null ? '–' : price(tick.price)}
      </td>
      <td className={cx('text-end whitespace-nowrap', DIMMED_OFFLINE, HIDDEN.difference)}>
        {tick !== null && (
          <>
            <span dir="ltr" className={cx('num font-semibold', toneOf(side))}>
              {differenceText(tick.price - order.entryPrice, item.decimals)}
            </span>{' '}
            <span className="text-fg-2">{t(side > 0 ? 'trade.ahead' : side < 0 ? 'trade.behind' : 'trade.level')}</span>
          </>
        )}
      </td>
      <td dir="ltr" className="num text-right! rtl:text-left! font-semibold">
        {spoken(ownMoney(moneyOf(order.stake)))}
      </td>
      <td dir="ltr" className={cx('num text-right! rtl:text-left!', HIDDEN.if_right)}>
        {spoken(ownMoney(moneyOf(profitOf(order)), { plus: true }))}
      </td>
      <td>
        <span className="flex items-center justify-end gap-2">
          {order.awaitingRecord === undefined ? (
            <span dir="ltr" className="num font-semibold">
              {formatCountdown(leftMs)}
            </span>
          ) : (
            <span className="text-caption text-fg-2">
              {t('trade.awaiting_record', { provider: order.awaitingRecord })}
            </span>
          )}
          <CountdownRing size={18} stroke={3} fraction={leftMs / (order.seconds * 1000)} />
        </span>
      </td>
      <td className="w-10">
        <ReceiptLink trx={order.trx} className="ms-auto" />
      </td>
    </tr>
  )
}
