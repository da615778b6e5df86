import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { OutcomeDisc } from '#ui/pill.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { clockTimeMs } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { directionText, lengthText, outcomeOf } from '#web/receipts/order-text.ts'
import type { OwnTrades } from '#web/live/use-own-trades.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

const SHOWN = 4

/** The last settled orders, below the form of the desktop. */
export function LatestResults({ own }: { own: OwnTrades }) {
  const settled = (own.trades ?? []).filter(({ result }) => result !== 0).slice(0, SHOWN)
  if (settled.length === 0) return null
  return (
    <section aria-labelledby="latest-results" className="border-t border-line px-4 py-3.5">
      <div className="flex items-baseline justify-between pb-1.5">
        <h2 id="latest-results" className="text-label font-semibold">
          {t('trade.latest_results')}
        </h2>
        <Link href="/history/transaction" className="hit text-label font-semibold text-brand">
          {t('trade.all_results')}
        </Link>
      </div>
      <ul>
        {settled.map((trade) => {
          const outcome = outcomeOf(trade)
          return (
            <li key={trade.id} className="flex min-h-12 items-center gap-3 border-t border-line">
              <OutcomeDisc outcome={outcome} size={22} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-label font-semibold">
                  {directionText(trade.high_low)} <bdi>{titleOf(trade.symbol, trade.market_type)}</bdi>
                  {' · '}
                  {lengthText(trade.trade_setting.time)}
                </span>
                <Link href={`/check/${trade.trx}`} className="mono hit block text-micro text-fg-3 hover:underline">
                  <span className="sr-only">{t('trade.check')} </span>
                  {trade.trx}
                </Link>
              </span>
              <span className="flex flex-col items-end">
                <span dir="ltr" className={cx('num text-label font-semibold', outcome === 'won' && 'text-up')}>
                  {spoken(ownMoney(moneyOf(trade.result_amount ?? 0), { plus: true }))}
                </span>
                <span dir="ltr" className="num text-micro text-fg-3">
                  {clockTimeMs(Date.parse(trade.expires_at))}
                </span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
