import { useEffect, useEffectEvent, useRef } from 'react'
import type { OwnTrade } from '#contract/trades.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { markSeen } from '#web/live/unseen-results.ts'
import type { OrderFlow } from '#web/screens/trade/order-flow.ts'
import { useGo } from '#web/session/navigation.ts'
import { useQueryText } from '#web/session/use-query-text.ts'

interface Options {
  flow: OrderFlow
  /** The symbol of the screen. */
  symbol: string
  trades: readonly OwnTrade[] | null
  running: readonly PlacedOrder[]
  onReview: (trade: OwnTrade) => void
  onShow: (order: PlacedOrder) => void
}

/**
 * Opens the order or result that the address names: `?order=` comes from the strip of open orders on other screens. The
 * shown result is kept in the address, so that a reload, Back and a link lead to this result. A shown result counts as
 * seen.
 */
export function useResultAddress({ flow, symbol, trades, running, onReview, onShow }: Options): void {
  const go = useGo()
  const query = new URLSearchParams(useQueryText())
  const open = query.get('order')
  // The order may have ended since the press.
  const wanted = query.get('result') ?? open
  const shown = flow.step === 'completed' ? flow.order : null
  const shownTrx = shown?.trx ?? null
  const named = trades?.find(({ trx, result }) => trx === wanted && result !== 0)
  const before = useRef<string | null>(null)

  const review = useEffectEvent(() => {
    if (named !== undefined && wanted !== shownTrx) onReview(named)
  })
  const namedTrx = named?.trx ?? null
  useEffect(() => {
    if (namedTrx !== null) review()
  }, [namedTrx])

  const opened = running.find(({ trx }) => trx === open)
  const show = useEffectEvent(() => {
    if (opened === undefined) return
    onShow(opened)
    go(`/trade/${symbol}`, { replace: true })
  })
  const openedTrx = opened?.trx ?? null
  useEffect(() => {
    if (openedTrx !== null) show()
  }, [openedTrx])

  const follow = useEffectEvent((trx: string | null) => {
    if (shown !== null) markSeen(shown.id)
    if (trx !== null && trx !== wanted) go(`/trade/${symbol}?result=${trx}`, { replace: true })
    if (trx === null && before.current !== null) go(`/trade/${symbol}`, { replace: true })
    before.current = trx
  })
  useEffect(() => follow(shownTrx), [shownTrx])
}
