import { useCallback, useEffect, useReducer } from 'react'
import { moneyText } from '#core/money/money.ts'
import type { SymbolItem } from '#contract/markets.ts'
import { BUY } from '#core/orders/order.ts'
import { t } from '#web/i18n/t.ts'
import { getResult, onResult, placeOrder, serverNow } from '#web/live/live-client.ts'
import { keepOnScreen } from '#web/live/on-screen.ts'
import type { OrderForm, OrderView } from '#web/screens/trade/order-form.ts'
import { type FlowEvent, IDLE, nextFlow, type OrderFlow, orderOf } from '#web/screens/trade/order-flow.ts'

/** As often as the specification has it: whether the time of the order is over. */
const CHECK_MS = 500

export interface OrderFlowHandle {
  flow: OrderFlow
  dispatch: (event: FlowEvent) => void
  submit: (form: OrderForm, view: OrderView) => void
}

/** The flow of one trade screen, tied to the clock, the socket and the results. */
export function useOrderFlow(item: SymbolItem): OrderFlowHandle {
  const [flow, dispatch] = useReducer(nextFlow, IDLE)
  const order = orderOf(flow)
  const orderId = order?.id ?? null
  const expiresAt = order?.expiresAt ?? null

  useEffect(() => (orderId === null ? undefined : keepOnScreen(orderId)), [orderId])
  useEffect(() => onResult((result) => dispatch({ kind: 'settled', result })), [])
  useEffect(() => {
    if (orderId === null || expiresAt === null) return undefined
    const check = () => {
      const result = getResult(orderId)
      if (result !== null) dispatch({ kind: 'settled', result })
      else if (serverNow() >= expiresAt) dispatch({ kind: 'expired', orderId })
    }
    check()
    const timer = setInterval(check, CHECK_MS)
    return () => clearInterval(timer)
  }, [orderId, expiresAt])

  const { symbol, market_type: marketType } = item
  const submit = useCallback(
    (form: OrderForm, view: OrderView) => {
      if (!view.maySubmit || view.setting === null || view.stake === null) return
      const { direction } = form
      dispatch({ kind: 'submit', direction })
      const send = async (settingId: number, amount: string) => {
        const placement = await placeOrder({
          type: direction === BUY ? 'buy' : 'sell',
          tradeSettingId: settingId,
          amount,
          symbol: symbol.toLowerCase(),
          marketType,
        })
        if (placement.kind === 'accepted') dispatch({ kind: 'accepted', order: placement.order })
        else dispatch({ kind: 'refused', message: placement.message || t('trade.not_taken') })
      }
      void send(view.setting.id, moneyText(view.stake))
    },
    [symbol, marketType],
  )
  return { flow, dispatch, submit }
}
