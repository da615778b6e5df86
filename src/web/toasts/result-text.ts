import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { ownMoney } from '#web/session/own-money.tsx'
import { titleOf } from '#web/symbols/symbol-text.ts'

/** Formats a result in one line: "BTC/USDT order won: +$80.00". */
export function resultText({ account, crypto, result, result_amount, void_reason }: OrderResult): string {
  const symbol = titleOf(crypto.symbol, crypto.market_type)
  const amount = ownMoney(moneyOf(result_amount), { plus: true, account })
  if (void_reason) return t('live.settled_void', { symbol })
  if (result === 1) return t('live.settled_won', { symbol, amount })
  if (result === 5) return t('live.settled_sold', { symbol, amount })
  return result === 2 ? t('live.settled_lost', { symbol, amount }) : t('live.settled_draw', { symbol })
}

/** Returns the address of the trade screen with the panel of this result open. */
export function resultPath({ crypto, trx }: OrderResult): string {
  return `/trade/${crypto.symbol}?result=${trx}`
}
