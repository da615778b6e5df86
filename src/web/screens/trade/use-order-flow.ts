import { useCallback, useEffect, useMemo, useReducer, useState } from 'react'
import { type Money, moneyText } from '#core/money/money.ts'
import type { SymbolItem, TradeSettingOut } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { BUY } from '#core/orders/order.ts'
import { newId } from '#ui/new-id.ts'
import { t } from '#web/i18n/t.ts'
import { askMarketsAgain, getResult, onResult, placeOrder, serverNow } from '#web/live/live-client.ts'
import { keepLastOrder } from '#web/live/last-orders.ts'
import { keepOnScreen } from '#web/live/on-screen.ts'
import { useAccount } from '#web/session/account.ts'
import type { OrderRequest } from '#web/live/pending-orders.ts'
import type { OrderForm, OrderView } from '#web/screens/trade/order-form.ts'
import { type FlowEvent, IDLE, nextFlow, type OrderFlow, orderOf } from '#web/screens/trade/order-flow.ts'
import { resultOf } from '#web/screens/trade/settled-trades.ts'

/** 500 ms between checks whether the order has expired, as specified. */
const CHECK_MS = 500
/** Refusals after which the form must load the current terms. */
const OTHER_TERMS = new Set(['payout_changed', 'setting_unknown', 'symbol_unknown'])

export interface OrderFlowHandle {
  flow: OrderFlow
  dispatch: (event: FlowEvent) => void
  submit: (form: OrderForm, view: OrderView) => void
}

/**
 * Ends an order on the screen with the result in the list of orders. The server sends a result only until a device of
 * the user has confirmed it, so the message may never come to this one. Returns the flow to show: a listed result is
 * shown with the present balance, because the list may arrive before the balance.
 */
export function useListedResult(
  { flow, dispatch }: Pick<OrderFlowHandle, 'flow' | 'dispatch'>,
  trades: readonly OwnTrade[] | null,
  balance: Money,
): OrderFlow {
  const id = flow.step === 'running' || flow.step === 'completing' ? flow.order.id : null
  const settled = id === null ? undefined : trades?.find((trade) => trade.id === id && trade.result !== 0)
  useEffect(() => {
    if (settled) dispatch({ kind: 'settled', result: resultOf(settled, balance), isListed: true })
  }, [settled, balance, dispatch])
  return useMemo(
    () =>
      flow.step === 'completed' && (flow.isListed === true || flow.isReview)
        ? { ...flow, result: { ...flow.result, user_balance: Number(moneyText(balance)) } }
        : flow,
    [flow, balance],
  )
}

/** Runs the flow of one trade screen with the clock, the socket and the results. */
export function useOrderFlow(item: SymbolItem): OrderFlowHandle {
  const [flow, dispatch] = useReducer(nextFlow, IDLE)
  const order = orderOf(flow)
  const orderId = order?.id ?? null
  const expiresAt = order?.expiresAt ?? null
  const [sentId, setSentId] = useState<string | null>(null)
  const awaitedId = flow.step === 'submitting' ? sentId : null

  useEffect(() => (orderId === null ? undefined : keepOnScreen(orderId)), [orderId])
  // This form shows a refusal of the order, so the refusal needs no toast.
  useEffect(() => (awaitedId === null ? undefined : keepOnScreen(awaitedId)), [awaitedId])
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
  // The account of the screen whose button was pressed. A later change of the account does not change the message.
  const account = useAccount()
  const submit = useCallback(
    (form: OrderForm, view: OrderView) => {
      if (!view.maySubmit || view.setting === null || view.stake === null) return
      const { direction } = form
      const clientOrderId = newId()
      setSentId(clientOrderId)
      dispatch({ kind: 'submit', direction })
      const send = async (terms: TradeSettingOut, stake: Money) => {
        const request: OrderRequest = {
          type: direction === BUY ? 'buy' : 'sell',
          tradeSettingId: terms.id,
          amount: moneyText(stake),
          symbol: symbol.toLowerCase(),
          marketType,
          profitPercentage: terms.profit_percentage,
          time: terms.time,
          account,
        }
        const placement = await placeOrder(request, clientOrderId)
        if (placement.kind === 'accepted') {
          keepLastOrder(symbol, { settingId: terms.id, stake }, account)
          dispatch({ kind: 'accepted', order: placement.order })
        } else {
          if (OTHER_TERMS.has(placement.code)) askMarketsAgain()
          const isCancelled = placement.code === 'cancelled'
          dispatch({ kind: 'refused', message: isCancelled ? null : placement.message || t('trade.not_taken') })
        }
      }
      void send(view.setting, view.stake)
    },
    [symbol, marketType, account],
  )
  return { flow, dispatch, submit }
}
