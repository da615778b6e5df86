import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Confetti } from '#ui/confetti.tsx'
import { cx } from '#ui/cx.ts'
import { OutcomeDisc } from '#ui/pill.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { OrderTimes } from '#web/receipts/order-times.tsx'
import { useDecidingTicks } from '#web/receipts/use-deciding-ticks.ts'
import { directionText, lengthText, outcomeOf, type SettledOutcome } from '#web/receipts/order-text.ts'

interface ResultPanelProps {
  order: PlacedOrder
  result: OrderResult
  /** The symbol's display name, "BTC/USDT". */
  title: string
  decimals: number
  onContinue: () => void
  /** Whether the user has opened the result again. If so, the result is not celebrated. */
  isReview?: boolean
}

const WORDS = {
  won: 'trade.you_won',
  lost: 'trade.you_lost',
  draw: 'trade.draw',
  void: 'trade.void',
  sold: 'trade.sold',
} as const

/**
 * 400 ms without focus and presses, so that a press meant for the previous content at this position does not close the
 * panel.
 */
const READY_AFTER_MS = 400

/** The result of an order and the ticks that decided it. A loss gets the same panel as a win. */
export function ResultPanel(props: ResultPanelProps) {
  const { order, result, title, decimals, onContinue, isReview = false } = props
  const outcome = outcomeOf(result)
  const ticks = useDecidingTicks(order.id, result.post_trade_price)
  const [verdict, bar] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), READY_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  useClearOf(verdict, bar, isReview)
  return (
    <div className="relative isolate flex flex-1 flex-col">
      <Confetti
        on={outcome === 'won' && result.result_amount > 0 && !isReview && result.account !== 'practice'}
        className="pointer-events-none absolute inset-0 -z-1 size-full"
      />
      <div ref={verdict} className="flex flex-wrap items-start justify-between gap-x-3">
        <div>
          <h2 className="flex items-center gap-2 text-heading">
            <OutcomeDisc outcome={outcome} />
            {t(WORDS[outcome])}
          </h2>
          <p dir="ltr" className={cx('num mt-0.5 text-result', outcome === 'won' && 'text-up')}>
            {spoken(ownMoney(moneyOf(result.result_amount), { plus: true }))}
          </p>
          <p className="text-label text-fg-2">
            {spoken(
              t('trade.result_line', {
                direction: directionText(order.direction),
                symbol: title,
                length: lengthText(order.seconds),
                amount: ownMoney(moneyOf(order.stake)),
              }),
            )}
          </p>
        </div>
        <div className="shrink-0 pt-1 text-end">
          <span className="block text-caption text-fg-3">{t('trade.balance')}</span>
          <span dir="ltr" className="num text-small font-semibold">
            {spoken(ownMoney(moneyOf(result.user_balance)))}
          </span>
        </div>
      </div>
      <Explanation outcome={outcome} result={result} stake={order.stake} />
      <OrderTimes
        acceptedMs={order.openedAt}
        expiresMs={order.expiresAt}
        entry={{ price: result.price_was, timeMs: order.entryAt }}
        end={{ ...ticks, voidReason: result.void_reason ?? null, isSold: outcome === 'sold' }}
        decimals={decimals}
        className="mt-3 border-t border-line pt-1.5"
      />
      {/* The bar sticks to the bottom edge. Ticks that arrive late make room above it and do not move its buttons. */}
      <div
        ref={bar}
        inert={!isReady}
        className="sticky bottom-[calc(var(--tab-h)+env(safe-area-inset-bottom))] z-1 mt-auto flex flex-col gap-2 bg-surface pt-3 pb-4 md:bottom-0 short:flex-row-reverse"
      >
        <Button className="short:min-h-11!" onClick={onContinue}>
          {t('trade.continue')}
        </Button>
        <ButtonLink href={`/check/${result.trx}`} variant="quiet" size="m" wide>
          {t('trade.check')}
        </ButtonLink>
      </div>
    </div>
  )
}

/**
 * Scrolls the page so that new content is above the sticky bar, for large text or a low window. An opened result is
 * scrolled into view.
 */
function useClearOf(
  content: RefObject<HTMLElement | null>,
  bar: RefObject<HTMLElement | null>,
  isOpened: boolean,
): void {
  useEffect(() => {
    // A new screen scrolls to its top first, so this runs in the next frame.
    const frame = requestAnimationFrame(() => {
      if (isOpened) content.current?.scrollIntoView({ block: 'nearest' })
      const [shown, edge] = [content.current?.getBoundingClientRect(), bar.current?.getBoundingClientRect()]
      if (shown && edge && shown.bottom > edge.top) scrollBy(0, shown.bottom - edge.top)
    })
    return () => cancelAnimationFrame(frame)
  }, [content, bar, isOpened])
}

function Explanation({ outcome, result, stake }: { outcome: SettledOutcome; result: OrderResult; stake: number }) {
  if (outcome === 'sold') {
    const paid = ownMoney(moneyOf(stake + result.result_amount))
    return <p className="mt-2 text-small text-fg-2">{spoken(t('trade.sold_text', { amount: paid }))}</p>
  }
  if (outcome !== 'draw' && outcome !== 'void') return null
  const amount = ownMoney(moneyOf(stake))
  const key =
    outcome === 'draw'
      ? 'trade.draw_text'
      : result.void_reason === 'no_price_after_expiry'
        ? 'trade.void_late_text'
        : 'trade.void_text'
  return <p className="mt-2 text-small text-fg-2">{spoken(t(key, { amount }))}</p>
}
