import Repeat from 'lucide-react/icons/repeat'
import type { TransactionOut } from '#contract/transactions.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { orderToRepeat } from '#web/live/order-to-repeat.ts'
import { useGo } from '#web/session/navigation.ts'

/** Fills the terms of an order into the form of its symbol, whatever the result of the order was. Sends nothing. */
export function RepeatButton({ transaction: { amount, trade_log: log } }: { transaction: TransactionOut }) {
  const go = useGo()
  return (
    <button
      type="button"
      onClick={() => {
        const { symbol } = log.crypto_currency
        orderToRepeat.set({
          symbol,
          direction: log.high_low,
          seconds: log.trade_setting.time,
          stake: moneyOf(amount),
          payout: log.profitCame,
        })
        go(`/trade/${symbol}`)
      }}
      className="hit mt-2 inline-flex items-center gap-1.5 text-label font-semibold text-brand"
    >
      <Repeat size={16} strokeWidth={1.75} aria-hidden="true" />
      {t('trade.repeat')}
    </button>
  )
}
