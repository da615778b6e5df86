import { useEffect, useState } from 'react'
import { groupedNumber } from '#ui/format.ts'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { ownMoney, spokenText } from '#web/session/own-money.tsx'
import { serverNow } from '#web/live/live-client.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { type OrderFlow, orderOf } from '#web/screens/trade/order-flow.ts'
import { directionText, lengthText, outcomeOf } from '#web/receipts/order-text.ts'

const LAST_MS = 10_000

/**
 * Announces the progress of the order on screen to screen readers: start, half-time, ten seconds left, end, result.
 * Invisible.
 */
export function Announcer({ flow, title, decimals }: { flow: OrderFlow; title: string; decimals: number }) {
  const order = orderOf(flow)
  const milestone = useMilestone(flow.step === 'running' ? order : null)
  const price = (value: number) => groupedNumber(priceTextOf(value, decimals))
  let text = ''
  if (flow.step === 'completed') text = resultText(flow.order, flow.result, { title, price })
  else if (flow.step === 'completing') text = t('trade.say_end', { symbol: title })
  else if (order && milestone === 'ten') text = t('trade.say_ten', { symbol: title })
  else if (order && milestone === 'half') text = t('trade.say_half', { symbol: title })
  else if (order) {
    text = t('trade.say_start', { ...words(order, title), entry: price(order.entryPrice) })
  }
  return <output className="sr-only">{spokenText(text)}</output>
}

function words(order: PlacedOrder, title: string) {
  return { direction: directionText(order.direction), symbol: title, length: lengthText(order.seconds) }
}

function resultText(
  order: PlacedOrder,
  result: OrderResult,
  { title, price }: { title: string; price: (value: number) => string },
): string {
  const said = words(order, title)
  const outcome = outcomeOf(result)
  if (outcome === 'draw') return t('trade.say_draw', { ...said, amount: ownMoney(moneyOf(order.stake)) })
  if (outcome === 'void') return t('trade.say_void', { ...said, amount: ownMoney(moneyOf(order.stake)) })
  if (outcome === 'sold')
    return t('live.settled_sold', { symbol: title, amount: ownMoney(moneyOf(result.result_amount), { plus: true }) })
  return t(outcome === 'won' ? 'trade.say_won' : 'trade.say_lost', {
    ...said,
    amount: ownMoney(moneyOf(Math.abs(result.result_amount))),
    entry: price(result.price_was),
    exit: result.post_trade_price === null ? '–' : price(result.post_trade_price),
  })
}

type Milestone = 'start' | 'half' | 'ten'

function useMilestone(order: PlacedOrder | null): Milestone {
  const [reached, setReached] = useState<{ id: string; milestone: Milestone } | null>(null)
  useEffect(() => {
    if (order === null) return undefined
    const { id, expiresAt } = order
    const half = expiresAt - (order.seconds * 1000) / 2
    const moments = [
      { at: half, milestone: 'half' as const },
      { at: expiresAt - LAST_MS, milestone: 'ten' as const },
    ]
    // An order lasts at most a day, which is short enough for a single timer.
    const timers = moments
      .filter(({ at }) => at > serverNow())
      .map(({ at, milestone }) => setTimeout(() => setReached({ id, milestone }), at - serverNow()))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [order])
  return reached !== null && reached.id === order?.id ? reached.milestone : 'start'
}
