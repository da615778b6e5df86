import { VOID_REASONS } from '#core/orders/order.ts'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { groupedNumber } from '#ui/format.ts'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { clockText, clockTimeMs, clockZone } from '#web/i18n/clock.ts'
import { dayAndTimeMsText } from '#web/i18n/dates.ts'
import { type MessageKey, t } from '#web/i18n/t.ts'
import { lengthText } from '#web/receipts/order-text.ts'

/** A price and the time at which its source reported it, in milliseconds UTC; null while loading. */
export interface TimedPrice {
  readonly price: number
  readonly timeMs: number | null
}

/** The ticks at the end of an order. */
export interface EndTicks {
  /** Null when the order is void. */
  readonly exit: TimedPrice | null
  /** The first tick after the expiry; null when unknown, undefined while loading. */
  readonly next: TimedPrice | null | undefined
}

export interface OrderTimesProps {
  readonly acceptedMs: number
  readonly expiresMs: number
  readonly entry: TimedPrice
  /** The end of the order; null while it is open. */
  readonly end: (EndTicks & { readonly voidReason: string | null; readonly isSold?: boolean }) | null
  readonly decimals: number
  /** Shows the date of each time, for places that do not show it elsewhere. */
  readonly isDated?: boolean
  readonly className?: string
}

type Step = 'accepted' | 'entry' | 'expires' | 'exit' | 'sold' | 'next'

const LABELS: Readonly<Record<Step, MessageKey>> = {
  accepted: 'trade.accepted',
  entry: 'trade.entry',
  expires: 'trade.expires',
  exit: 'trade.exit',
  sold: 'trade.sold',
  next: 'trade.next_tick',
}
const DOTS: Readonly<Record<Step, string>> = {
  accepted: 'border-2 border-line-strong bg-line-strong',
  entry: 'border-2 border-brand bg-surface',
  expires: 'border-2 border-line-strong bg-line-strong',
  exit: 'bg-brand',
  sold: 'bg-brand',
  next: 'border-2 border-line-strong bg-surface',
}

/** The times and ticks that decide an order, to the millisecond, in the same sequence everywhere. */
export function OrderTimes(props: OrderTimesProps) {
  const { acceptedMs, expiresMs, entry, end, decimals, className } = props
  // A sale comes before the expiry, and the price at the expiry does not count.
  const isSold = end?.isSold === true
  const times = [acceptedMs, entry.timeMs, expiresMs, end?.exit?.timeMs, end?.next?.timeMs].filter(
    (at) => at !== null && at !== undefined,
  )
  // Within one day the time is enough. An order over a whole day needs dates, as it ends at the time of day it began.
  const isDated = props.isDated === true || new Set(times.map((at) => clockText(at).slice(0, 10))).size > 1
  const price = (value: number) => groupedNumber(priceTextOf(value, decimals))
  const length = lengthText(Math.round((expiresMs - acceptedMs) / 1_000))
  const at = (timeMs: number) => <Moment timeMs={timeMs} isDated={isDated} />
  const tick = (step: Step, { price: value, timeMs }: TimedPrice) => (
    <Row step={step} price={price(value)}>
      {timeMs === null ? '…' : at(timeMs)}
    </Row>
  )
  return (
    <ol aria-label={t('trade.times')} className={className}>
      <Row step="accepted">{at(acceptedMs)}</Row>
      {tick('entry', entry)}
      {isSold && end?.exit && tick('sold', end.exit)}
      <Row step="expires">
        {at(expiresMs)} <span className="font-sans">· {t('trade.after_accepted', { length })}</span>
      </Row>
      {end !== null && !isSold && (
        <>
          {end.exit === null ? <Row step="exit">{noExitText(end.voidReason)}</Row> : tick('exit', end.exit)}
          {end.next ? (
            tick('next', end.next)
          ) : (
            <Row step="next">{end.next === undefined ? '…' : t('trade.next_unknown')}</Row>
          )}
        </>
      )}
    </ol>
  )
}

function noExitText(voidReason: string | null): string {
  const known = VOID_REASONS.find((reason) => reason === voidReason)
  return known === undefined ? t('transaction_history.no_exit') : t(`transaction_history.void_${known}`)
}

/** Formats a time on the chosen clock, "21:07:04.978 UTC", left to right in every language. */
export function Moment({ timeMs, isDated = false }: { timeMs: number; isDated?: boolean }) {
  return (
    <time dateTime={new Date(timeMs).toISOString()} className="mono">
      {isDated ? dayAndTimeMsText(timeMs) : <bdi dir="ltr">{`${clockTimeMs(timeMs)} ${clockZone(timeMs)}`}</bdi>}
    </time>
  )
}

/** One step on the timeline. */
function Row({ step, price, children }: { step: Step; price?: string; children: ReactNode }) {
  const isCounted = step !== 'next'
  return (
    <li
      className={cx(
        'relative flex gap-3 py-0.5',
        // The line runs to the next dot: solid between deciding steps, dashed to the tick that does not count.
        'not-last:after:absolute not-last:after:start-[0.3125rem] not-last:after:top-[1.375rem] not-last:after:h-[calc(100%-1.125rem)] not-last:after:border-s-2 not-last:after:border-line-strong',
        (step === 'exit' || step === 'sold') && 'not-last:after:border-dashed',
      )}
    >
      <i
        className={cx(
          'mt-1 size-3 shrink-0 rounded-full',
          DOTS[step],
          (step === 'accepted' || step === 'expires') && 'scale-50',
        )}
        aria-hidden="true"
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
        <span className="min-w-0">
          <span className={cx('block text-small font-semibold', !isCounted && 'text-fg-3')}>{t(LABELS[step])}</span>
          <span className="block text-caption text-fg-3">{children}</span>
        </span>
        {price !== undefined && (
          <span dir="ltr" className={cx('num text-small font-semibold', !isCounted && 'text-fg-3')}>
            {price}
          </span>
        )}
      </span>
    </li>
  )
}
