import type { ReactNode } from 'react'
import type { LinePoint } from '#core/proof/bundle-file.ts'
import { type ReceiptFacts, type TickFacts, isResult } from '#core/proof/receipt-facts.ts'
import { cx } from '#ui/cx.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { nextTick } from '#web/receipts/next-tick.ts'
import { OrderTimes } from '#web/receipts/order-times.tsx'
import { differenceText, lengthText, toneOf } from '#web/receipts/order-text.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

/** The order, the times and ticks that decided it, and the difference between its two prices. */
export function OrderRows({ facts, next }: { facts: ReceiptFacts; next: LinePoint | null }) {
  const { direction, symbol, market, opened_ms, expires_ms, entry, decimals } = facts
  const isBuy = direction === 'buy'
  const result = isResult(facts) ? facts : null
  const exit = result?.exit ?? null
  const change = exit === null ? 0 : exit.price - entry.price
  const side = Math.sign(isBuy ? change : -change) as -1 | 0 | 1
  const timed = ({ price, time_ms: timeMs }: TickFacts) => ({ price: price / 10 ** decimals, timeMs })
  return (
    <div className="flex flex-col gap-2.5 border-t border-line px-4 py-4">
      <Row label={t('trade.order')}>
        <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5">
          <DirectionArrow direction={isBuy ? 'up' : 'down'} size={16} />
          {t(isBuy ? 'trade.buy' : 'trade.sell')} <bdi>{titleOf(symbol, market)}</bdi>
          <span className="font-normal text-fg-2">{lengthText(Math.round((expires_ms - opened_ms) / 1_000))}</span>
        </span>
      </Row>
      <OrderTimes
        acceptedMs={opened_ms}
        expiresMs={expires_ms}
        entry={timed(entry)}
        end={
          result && {
            exit: exit && timed(exit),
            next: nextTick(result, next),
            voidReason: result.void,
          }
        }
        decimals={decimals}
        isDated
      />
      {exit !== null && (
        <Row label={t('trade.difference')}>
          <span className={cx(toneOf(side))}>{differenceText(change / 10 ** decimals, decimals)}</span>
        </Row>
      )}
    </div>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="text-small text-fg-2">{label}</dt>
      <dd dir="ltr" className="num text-end text-small font-semibold">
        {children}
      </dd>
    </dl>
  )
}
