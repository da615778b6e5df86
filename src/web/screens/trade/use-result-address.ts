import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import type { OwnTrade } from '#contract/trades.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { call } from '#web/api/call.ts'
import { markSeen } from '#web/live/unseen-results.ts'
import type { OrderFlow } from '#web/screens/trade/order-flow.ts'
import { getAccount } from '#web/session/account.ts'
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

/** Returns a function that shows the public receipt of a result that no panel can show. The result counts as seen. */
function useOpenReceipt(): (trx: string) => void {
  const go = useGo()
  return useCallback(
    (trx: string) => {
      markSeen(trx)
      go(`/check/${encodeURIComponent(trx)}`, { replace: true })
    },
    [go],
  )
}

/** Without the screen of its symbol, a result in the address is shown by its receipt. */
export function useReceiptOfUnlisted(isUnlisted: boolean): void {
  const trx = new URLSearchParams(useQueryText()).get('result')
  const openReceipt = useOpenReceipt()
  useEffect(() => {
    if (isUnlisted && trx !== null) openReceipt(trx)
  }, [isUnlisted, trx, openReceipt])
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

  // Only the recent orders are listed; an older result is loaded by its reference.
  const isListed =
    trades === null || trades.some(({ trx }) => trx === wanted) || running.some(({ trx }) => trx === wanted)
  const missing = isListed || wanted === shownTrx ? null : wanted
  const reviewLoaded = useEffectEvent((trade: OwnTrade) => {
    if (trade.result !== 0) onReview(trade)
  })
  const openReceipt = useOpenReceipt()
  useEffect(() => {
    if (missing === null) return undefined
    const abort = new AbortController()
    const load = async () => {
      try {
        const { data } = await call('GET /user/trade/:id', {
          params: { id: missing },
          query: { account: getAccount() },
          signal: abort.signal,
        })
        if (!abort.signal.aborted) reviewLoaded(data.trade)
      } catch {
        if (!abort.signal.aborted) openReceipt(missing)
      }
    }
    void load()
    return () => abort.abort()
  }, [missing, openReceipt])

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
