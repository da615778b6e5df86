import { BUY, type Direction } from '#core/orders/order.ts'
import { t } from '#web/i18n/t.ts'
import { isPractice } from '#web/session/account.ts'

/** Returns the label of a button that opens an order: "Buy", or in practice "Buy · practice". */
export function actionText(direction: Direction): string {
  const action = t(direction === BUY ? 'trade.buy' : 'trade.sell')
  return isPractice() ? t('shell.practice_action', { action }) : action
}
