import type { ReactNode } from 'react'
import type { ReceiptFacts } from '#core/proof/receipt-facts.ts'
import { cx } from '#ui/cx.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { differenceText, toneOf } from '#web/screens/trade/countdown-panel.tsx'
import { lengthText, titleOf } from '#web/screens/trade/order-text.ts'
import { priceOf } from '#web/receipts/price-of.ts'

/** The order, its two prices, and how far they are apart. */
export function OrderRows({ facts }: { facts: ReceiptFacts }) {
  const { direction, symbol, market, opened_ms, expires_ms, entry, decimals } = facts
  const isBuy = direction === 'buy'
  const exit = facts.kind === 'result' ? facts.exit : null
  const change = exit === null ? 0 : exit.price - entry.price
  const side = Math.sign(isBuy ? change : -change) as -1 | 0 | 1
  return (
    <dl className="flex flex-col gap-2.5 border-t border-line px-4 py-4">
      <Row label={t('trade.order')}>
        <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5">
          <DirectionArrow direction={isBuy ? 'up' : 'down'} size={16} />
          {t(isBuy ? 'trade.buy' : 'trade.sell')} <bdi>{titleOf(symbol, market)}</bdi>
          <span className="font-normal text-fg-2">{lengthText(Math.round((expires_ms - opened_ms) / 1_000))}</span>
        </span>
      </Row>
      <Row label={t('trade.entry')}>{priceOf(entry.price, decimals)}</Row>
      {facts.kind === 'result' && (
        <Row label={t('check.exit')}>
          {exit === null ? t('transaction_history.no_exit') : priceOf(exit.price, decimals)}
        </Row>
      )}
      {exit !== null && (
        <Row label={t('trade.difference')}>
          <span className={cx(toneOf(side))}>{differenceText(change / 10 ** decimals, decimals)}</span>
        </Row>
      )}
    </dl>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-small text-fg-2">{label}</dt>
      <dd className="num text-end text-small font-semibold">{children}</dd>
    </div>
  )
}
