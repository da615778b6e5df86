import type { MarketList } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { sumOpenOrders } from '#web/live/open-order-sums.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { directionText } from '#web/receipts/order-text.ts'
import { symbolOfOrder } from '#web/symbols/order-symbol.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

interface OpenOrderSumsProps {
  list: Pick<MarketList, 'currencies'>
  /** The user's loaded orders; null before loading. */
  trades: readonly OwnTrade[] | null
  running: readonly PlacedOrder[]
}

/**
 * The stakes of all open orders, their possible profit and loss, and for each symbol the stake on Buy minus the stake
 * on Sell.
 */
export function OpenOrderSums({ list, trades, running }: OpenOrderSumsProps) {
  const { staked, allRight, differences } = sumOpenOrders(running)
  const sums = [
    ['trade.staked', ownMoney(staked)],
    ['trade.all_right', ownMoney(allRight, { plus: true })],
    ['trade.all_wrong', ownMoney(money(-staked))],
  ] as const
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 px-2 pt-2.5 text-label text-fg-2">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {sums.map(([label, value]) => (
          <div key={label} className="flex gap-1.5">
            <dt>{t(label)}</dt>
            <dd dir="ltr" className="num font-semibold text-fg">
              {spoken(value)}
            </dd>
          </div>
        ))}
      </dl>
      {running.length > 1 &&
        [...differences].map(([symbol, difference]) => {
          const item = symbolOfOrder(list, symbol, trades)
          return (
            <span key={symbol}>
              <bdi>{titleOf(item.symbol, item.market_type)}</bdi>{' '}
              {difference === 0n
                ? t('trade.even_sides')
                : spoken(
                    t('trade.more_on', {
                      amount: ownMoney(difference > 0n ? difference : money(-difference)),
                      direction: directionText(difference > 0n ? BUY : SELL),
                    }),
                  )}
            </span>
          )
        })}
    </div>
  )
}
