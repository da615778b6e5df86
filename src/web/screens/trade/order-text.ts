import type { OwnTrade } from '#contract/trades.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import type { Outcome } from '#ui/pill.tsx'
import { t } from '#web/i18n/t.ts'

export function directionText(direction: Direction): string {
  return t(direction === BUY ? 'trade.buy' : 'trade.sell')
}

/** "5 min", "1 hour", "1 day" */
export function lengthText(seconds: number): string {
  if (seconds % 86_400 === 0) return t('trade.days', { count: seconds / 86_400 })
  if (seconds % 3_600 === 0) return t('trade.hours', { count: seconds / 3_600 })
  return t('trade.minutes', { count: Math.round(seconds / 60) })
}

/** "5m", "1h", "1d" */
export function shortLength(seconds: number): string {
  if (seconds % 86_400 === 0) return t('trade.short_days', { count: seconds / 86_400 })
  if (seconds % 3_600 === 0) return t('trade.short_hours', { count: seconds / 3_600 })
  return t('trade.short_minutes', { count: Math.round(seconds / 60) })
}

export type SettledOutcome = Extract<Outcome, 'won' | 'lost' | 'draw' | 'void'>

/** What became of an order. A void is a draw with a reason. */
export function outcomeOf(order: {
  result: OwnTrade['result']
  void_reason?: string | null | undefined
}): SettledOutcome {
  if (order.void_reason) return 'void'
  return order.result === 1 ? 'won' : order.result === 2 ? 'lost' : 'draw'
}
