import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { BUY, type Direction, SELL } from '#core/orders/order.ts'
import { cx } from '#ui/cx.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { actionText } from '#web/screens/trade/action-text.ts'
import { ClosedBar } from '#web/screens/trade/buy-sell-bar.tsx'
import { CountdownPanel } from '#web/screens/trade/countdown-panel.tsx'
import { LatestResults } from '#web/screens/trade/latest-results.tsx'
import { OpenMarkets } from '#web/screens/trade/open-markets.tsx'
import { OrderFields, type OrderFieldsProps } from '#web/screens/trade/order-fields.tsx'
import type { OrderFlow } from '#web/screens/trade/order-flow.ts'
import { ResultPanel } from '#web/screens/trade/result-panel.tsx'
import { UnseenRow } from '#web/screens/trade/unseen-row.tsx'
import type { Closed } from '#web/screens/trade/use-order-form.ts'
import { PracticeSwitch } from '#web/shell/practice-switch.tsx'
import { type OwnTrades, recordAwaitedBy } from '#web/live/use-own-trades.ts'

interface OrderPanelProps {
  fields: OrderFieldsProps & { list: MarketList }
  closed: Closed | null
  item: SymbolItem
  flow: OrderFlow
  title: string
  decimals: number
  own: OwnTrades
  onDirection: (direction: Direction) => void
  onContinue: () => void
}

/**
 * The order pane of larger screens. The form stays in place, and the current order and its result scroll in an area
 * below it. Changes in that area never move the form.
 */
export function OrderPanel({
  fields,
  closed,
  item,
  flow,
  title,
  decimals,
  own,
  onDirection,
  onContinue,
}: OrderPanelProps) {
  return (
    <section
      aria-label={t('trade.ticket')}
      className="order-form flex flex-col overflow-y-auto border-s border-line bg-surface"
    >
      <div className="flex shrink-0 flex-col gap-3 p-4 short:gap-2 short:py-2">
        <PracticeSwitch />
        {closed ? (
          <>
            <ClosedBar {...closed} />
            {closed.isMarket && <OpenMarkets list={fields.list} item={item} className="px-0!" />}
          </>
        ) : (
          <>
            <DirectionSwitch direction={fields.form.direction} onDirection={onDirection} />
            <p className="text-small text-fg-2 short:sr-only">
              {t(fields.form.direction === BUY ? 'trade.buy_sentence' : 'trade.sell_sentence')}
            </p>
            <OrderFields {...fields} isPane />
          </>
        )}
      </div>
      <div className="flex min-h-[16rem] flex-1 flex-col overflow-y-auto">
        {(flow.step === 'running' || flow.step === 'completing') && (
          <div className="border-t border-line p-4">
            <CountdownPanel
              order={flow.order}
              decimals={decimals}
              isWaiting={flow.step === 'completing'}
              record={recordAwaitedBy(own, flow.order)}
            />
          </div>
        )}
        {flow.step === 'completed' && (
          <div className="flex flex-col border-t border-line px-4 pt-4">
            <ResultPanel
              order={flow.order}
              result={flow.result}
              title={title}
              decimals={decimals}
              isReview={flow.isReview}
              onContinue={onContinue}
            />
          </div>
        )}
        <UnseenRow />
        <LatestResults own={own} />
      </div>
    </section>
  )
}

function DirectionSwitch({
  direction,
  onDirection,
}: {
  direction: Direction
  onDirection: (direction: Direction) => void
}) {
  return (
    <fieldset aria-label={t('trade.ticket')} className="grid grid-cols-2 gap-2">
      {([BUY, SELL] as const).map((side) => {
        const isChosen = side === direction
        return (
          <button
            key={side}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onDirection(side)}
            className={cx(
              'flex h-11 items-center justify-center gap-2 rounded-chip text-small font-semibold',
              isChosen
                ? side === BUY
                  ? 'bg-up-solid text-white'
                  : 'bg-down-solid text-white'
                : 'bg-surface-2 text-fg',
            )}
          >
            <span className={isChosen ? '' : side === BUY ? 'text-up' : 'text-down'}>
              <DirectionArrow direction={side === BUY ? 'up' : 'down'} size={18} />
            </span>
            {actionText(side)}
          </button>
        )
      })}
    </fieldset>
  )
}
