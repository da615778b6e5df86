import type { TickOut } from '#contract/trades.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Confetti } from '#ui/confetti.tsx'
import { cx } from '#ui/cx.ts'
import { formatMoney, groupedNumber } from '#ui/format.ts'
import { OutcomeDisc } from '#ui/pill.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { clockTimeMs, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-book.ts'
import { directionText, lengthText, outcomeOf, type SettledOutcome } from '#web/screens/trade/order-text.ts'

interface ResultPanelProps {
  order: PlacedOrder
  result: OrderResult
  /** "BTC/USDT" */
  title: string
  decimals: number
  onContinue: () => void
  /** Looked at again: nothing to celebrate twice. */
  isReview?: boolean
}

const NEXT_TICK_MS = 1_000
const WORDS = { won: 'trade.you_won', lost: 'trade.you_lost', draw: 'trade.draw', void: 'trade.void' } as const

/** What became of an order and the ticks that show it. A loss gets the same page as a win. */
export function ResultPanel(props: ResultPanelProps) {
  const { order, result, title, decimals, onContinue, isReview = false } = props
  const outcome = outcomeOf(result)
  const details = useDecidingTicks(order.id, result)
  return (
    <div className="relative isolate">
      <Confetti
        on={outcome === 'won' && result.result_amount > 0 && !isReview}
        className="pointer-events-none absolute inset-0 -z-1 size-full"
      />
      <div className="flex items-start justify-between gap-3">
        <div>
          <h2 className="flex items-center gap-2 text-heading">
            <OutcomeDisc outcome={outcome} />
            {t(WORDS[outcome])}
          </h2>
          <p className={cx('num mt-0.5 text-result', outcome === 'won' && 'text-up')}>
            {formatMoney(moneyOf(result.result_amount), { plus: true })}
          </p>
          <p className="text-label text-fg-2">
            {t('trade.result_line', {
              direction: directionText(order.direction),
              symbol: title,
              length: lengthText(order.seconds),
              amount: formatMoney(moneyOf(order.stake)),
            })}
          </p>
        </div>
        <div className="shrink-0 pt-1 text-end">
          <span className="block text-caption text-fg-3">{t('trade.balance')}</span>
          <span className="num text-small font-semibold">{formatMoney(moneyOf(result.user_balance))}</span>
        </div>
      </div>
      <Explanation outcome={outcome} result={result} stake={order.stake} />
      <ol className="mt-3 border-t border-line pt-1.5">
        <Tick kind="entry" price={result.price_was} tick={details?.entry ?? null} decimals={decimals} />
        {result.post_trade_price !== null && (
          <Tick kind="exit" price={result.post_trade_price} tick={details?.exit ?? null} decimals={decimals} />
        )}
        {details?.next && <Tick kind="next" price={details.next.price} tick={details.next} decimals={decimals} />}
      </ol>
      <Button className="mt-3" onClick={onContinue}>
        {t('trade.continue')}
      </Button>
      <ButtonLink href={`/check/${result.trx}`} variant="quiet" size="m" wide className="mt-2">
        {t('trade.check')}
      </ButtonLink>
    </div>
  )
}

/** A heartbeat of the source can settle an order before its next tick has come: that one is asked for until it has. */
function useDecidingTicks(id: string, result: OrderResult) {
  const query = useCallQuery(
    'GET /user/trade/:id',
    { params: { id } },
    { everyMs: NEXT_TICK_MS, until: ({ ticks }) => result.post_trade_price === null || ticks.next !== null },
  )
  return query.data?.data.ticks
}

function Explanation({ outcome, result, stake }: { outcome: SettledOutcome; result: OrderResult; stake: number }) {
  if (outcome !== 'draw' && outcome !== 'void') return null
  const amount = formatMoney(moneyOf(stake))
  const key =
    outcome === 'draw'
      ? 'trade.draw_text'
      : result.void_reason === 'no_price_after_expiry'
        ? 'trade.void_late_text'
        : 'trade.void_text'
  return <p className="mt-2 text-small text-fg-2">{t(key, { amount })}</p>
}

interface TickProps {
  kind: 'entry' | 'exit' | 'next'
  price: number
  /** Null until the details have come. */
  tick: TickOut | null
  decimals: number
}

const DOTS = {
  entry: 'border-2 border-brand bg-surface',
  exit: 'bg-brand',
  next: 'border-2 border-line-strong bg-surface',
} as const
const LABELS = { entry: 'trade.entry', exit: 'trade.exit', next: 'trade.next_tick' } as const

/** One tick on the rail. */
function Tick({ kind, price, tick, decimals }: TickProps) {
  const isCounted = kind !== 'next'
  return (
    <li
      className={cx(
        'relative flex min-h-12 items-center gap-3',
        // The rail runs to the next dot: solid while it counts, dashed towards the tick that does not.
        'not-last:after:absolute not-last:after:start-[5px] not-last:after:top-[calc(50%+6px)] not-last:after:h-[calc(100%-12px)] not-last:after:border-s-2',
        kind === 'entry'
          ? 'not-last:after:border-line-strong'
          : 'not-last:after:border-dashed not-last:after:border-line-strong',
      )}
    >
      <i className={cx('size-3 shrink-0 rounded-full', DOTS[kind])} aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={cx('text-small font-semibold', !isCounted && 'text-fg-3')}>{t(LABELS[kind])}</span>
        <span className="mono text-caption text-fg-3">
          {tick === null ? '…' : `${clockTimeMs(tick.time_ms)} ${clockZone(tick.time_ms)}`}
        </span>
      </span>
      <span className={cx('num text-small font-semibold', !isCounted && 'text-fg-3')}>
        {groupedNumber(priceTextOf(price, decimals))}
      </span>
    </li>
  )
}
