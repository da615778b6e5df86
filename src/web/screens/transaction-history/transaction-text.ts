import { VOID_REASONS } from '#core/orders/order.ts'
import type { TransactionOut } from '#contract/transactions.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { type Money, money, ZERO } from '#core/money/money.ts'
import type { Outcome } from '#ui/pill.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeMsText, dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { symbolText } from '#web/symbols/symbol-text.ts'

export type TradeLog = TransactionOut['trade_log']

/** Returns the outcome of a closed order. A void is stored as a draw with a reason. */
export function outcomeOf({
  result,
  void_reason,
}: TradeLog): Extract<Outcome, 'won' | 'lost' | 'draw' | 'void' | 'sold'> {
  if (void_reason !== null) return 'void'
  if (result === 5) return 'sold'
  return result === 1 ? 'won' : result === 2 ? 'lost' : 'draw'
}

/** Returns the net change: the profit, minus the stake, or zero. */
export function netOf({ amount, trade_log }: TransactionOut): Money {
  if (trade_log.result_amount !== null) return moneyOf(trade_log.result_amount)
  return trade_log.result === 2 ? money(ZERO - moneyOf(amount)) : ZERO
}

export function marketTypeOf({ crypto_currency }: TradeLog) {
  return MARKET_TYPES.find((type) => type === crypto_currency.market_type) ?? 'crypto'
}

/** Returns the display name, "BTC/USDT". */
export function symbolOf(log: TradeLog): string {
  const { base, quote } = symbolText(log.crypto_currency.symbol, marketTypeOf(log))
  return base + quote
}

/** Formats "21 Nov 14:37:02 UTC", with the day in the user's language and the time in Western digits. */
export function whenText(iso: string): string {
  return dayAndTimeText(Date.parse(iso))
}

/** Formats "Expiry 21 Nov 14:37:02.084 UTC". */
export function expiryText({ expires_at: iso }: TransactionOut): string {
  return t('transaction_history.expiry', { time: dayAndTimeMsText(Date.parse(iso)) })
}

/** Returns why an order was void. Reasons unknown to this version are omitted. */
export function voidText(reason: string): string {
  const known = VOID_REASONS.find((one) => one === reason)
  return known === undefined ? '' : t(`transaction_history.void_${known}`)
}
