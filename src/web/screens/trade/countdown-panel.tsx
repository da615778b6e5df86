import type { ReactNode } from 'react'
import { BUY } from '#core/orders/order.ts'
import { Button } from '#ui/button.tsx'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { cx } from '#ui/cx.ts'
import { formatCountdown, groupedNumber } from '#ui/format.ts'
import { Spinner } from '#ui/spinner.tsx'
import { DirectionArrow } from '#ui/triangle.tsx'
import { clockText, clockTimeMs, clockZone } from '#web/i18n/clock.ts'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useTick } from '#web/live/live-store.ts'
import { type PlacedOrder, profitOf, standing } from '#web/live/placed-order.ts'
import { Moment } from '#web/receipts/order-times.tsx'
import { ReceiptLink } from '#web/screens/trade/receipt-link.tsx'
import { MIN_SALE_SECONDS, SellBack } from '#web/screens/trade/sell-back.tsx'
import { differenceText, directionText, lengthText, toneOf } from '#web/receipts/order-text.ts'
import { useServerSecond } from '#web/live/use-server-second.ts'
import { DIMMED_OFFLINE } from '#web/symbols/live-figures.tsx'

interface CountdownPanelProps {
  order: PlacedOrder
  decimals: number
  /** Whether the order has expired, but the price that decides the result has not arrived. */
  isWaiting: boolean
  /** The source for whose public history of trades the order waits. */
  record?: string | undefined
  /** Called when the user returns to the form. Absent where the form is visible anyway. */
  onCollapse?: () => void
}

/** One open order: its time left, and whether it is winning. The last ten seconds look like any others. */
export function CountdownPanel({ order, decimals, isWaiting, record, onCollapse }: CountdownPanelProps) {
  const now = useServerSecond()
  const leftMs = isWaiting ? 0 : Math.max(0, order.expiresAt - now)
  const length = lengthText(order.seconds)
  // An order over a whole day ends at the time of day it began, so it needs dates.
  const isDated = dayOf(order.openedAt) !== dayOf(order.expiresAt)
  const moment = (timeMs: number) => <Moment timeMs={timeMs} isDated={isDated} />
  return (
    <div className="pb-4">
      <div className="flex items-center gap-4">
        <CountdownRing fraction={isWaiting ? 1 : leftMs / (order.seconds * 1000)}>
          {isWaiting ? (
            <Spinner />
          ) : (
            <span role="timer" aria-live="off" className="flex flex-col items-center">
              <span dir="ltr" className="num text-[1.625rem]/[1.15] font-semibold tracking-[-.02em]">
                {formatCountdown(leftMs)}
              </span>
              <span className="text-micro text-fg-3">{t('trade.of_length', { length })}</span>
            </span>
          )}
        </CountdownRing>
        {isWaiting ? (
          <Waiting expiresAt={order.expiresAt} record={record} />
        ) : (
          <Standing order={order} decimals={decimals} />
        )}
        <ReceiptLink trx={order.trx} className="self-start" />
      </div>
      <dl className="mt-3.5 grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-x-3 gap-y-1.5 rounded-field bg-surface-2 px-3 py-2">
        <Fact label={t('trade.accepted')}>{moment(order.openedAt)}</Fact>
        <Fact label={t('trade.entry')} value={groupedNumber(priceTextOf(order.entryPrice, decimals))}>
          {moment(order.entryAt)}
        </Fact>
        <Fact label={t('trade.expires')}>{moment(order.expiresAt)}</Fact>
        <Fact label={t('trade.if_wrong')} value={spoken(ownMoney(moneyOf(-order.stake)))} />
      </dl>
      {order.seconds >= MIN_SALE_SECONDS && !isWaiting && <SellBack order={order} />}
      {onCollapse && (
        <Button variant="secondary" className="mt-3 min-h-12!" onClick={onCollapse}>
          {t('trade.trade_on')}
        </Button>
      )}
    </div>
  )
}

function dayOf(timeMs: number): string {
  return clockText(timeMs).slice(0, 10)
}

function Waiting({ expiresAt, record: provider }: { expiresAt: number; record: string | undefined }) {
  if (provider !== undefined) {
    const time = `${clockTimeMs(expiresAt)} ${clockZone(expiresAt)}`
    return (
      <div className="min-w-0 flex-1">
        <p className="text-heading">{t('trade.awaiting_record', { provider })}</p>
        <p className="text-small text-fg-2">{t('trade.awaiting_record_text', { provider, time })}</p>
      </div>
    )
  }
  return (
    <div className="min-w-0 flex-1">
      <p className="text-heading">{t('trade.waiting_for_price')}</p>
      <p className="text-small text-fg-2">{t('trade.waiting')}</p>
      <p className="mt-1 text-caption text-fg-3">{t('trade.waiting_text')}</p>
    </div>
  )
}

function Standing({ order, decimals }: { order: PlacedOrder; decimals: number }) {
  const tick = useTick(order.symbol)
  const { direction, entryPrice, stake } = order
  const side = tick === null ? 0 : standing(order, tick.price)
  const net = side > 0 ? profitOf(order) : side < 0 ? -stake : 0
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <span className="flex items-center gap-1.5 text-small font-semibold">
        <span className={direction === BUY ? 'text-up' : 'text-down'}>
          <DirectionArrow direction={direction === BUY ? 'up' : 'down'} size={16} />
        </span>
        <span>
          {directionText(direction)} ·{' '}
          <span dir="ltr" className="num">
            {spoken(ownMoney(moneyOf(stake)))}
          </span>
        </span>
      </span>
      {tick !== null && (
        <>
          <span dir="ltr" className={cx('num mt-1.5 text-title', DIMMED_OFFLINE, toneOf(side))}>
            {differenceText(tick.price - entryPrice, decimals)}
          </span>
          <span className="text-label text-fg-2">
            {t(
              tick.price > entryPrice
                ? 'trade.above_entry'
                : tick.price < entryPrice
                  ? 'trade.below_entry'
                  : 'trade.at_entry',
            )}
            {', '}
            {t(side > 0 ? 'trade.ahead' : side < 0 ? 'trade.behind' : 'trade.level')}
          </span>
          <span className="mt-1.5 text-label text-fg-2">
            {t('trade.if_it_ended_now')}{' '}
            <b dir="ltr" className={cx('num font-semibold whitespace-nowrap', net > 0 ? 'text-up' : 'text-fg')}>
              {spoken(ownMoney(moneyOf(net), { plus: true }))}
            </b>
          </span>
        </>
      )}
    </div>
  )
}

/** A value with its name, and a time below it. */
function Fact({ label, value, children }: { label: string; value?: ReactNode; children?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="me-1.5 inline-block text-caption font-medium text-fg-3">{label}</dt>
      {value !== undefined && (
        <dd dir="ltr" className="num inline-block text-small font-semibold">
          {value}
        </dd>
      )}
      {children !== undefined && <dd className="text-caption">{children}</dd>}
    </div>
  )
}
