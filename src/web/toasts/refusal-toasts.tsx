import { useEffect } from 'react'
import { readMarketType } from '#core/markets/market.ts'
import { useStore } from '#ui/state/store.ts'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import type { OrderRequest } from '#web/live/pending-orders.ts'
import { unseenRefusals } from '#web/live/unseen-refusals.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

/** Shows a toast for each refused order that no form shows. Renders nothing itself. */
export function RefusalToasts() {
  const toast = useToast()
  const refusals = useStore(unseenRefusals)
  useEffect(() => {
    if (refusals.length === 0) return
    unseenRefusals.set([])
    for (const { request, message } of refusals) {
      const text = (
        <>
          <bdi>{nameOf(request)}</bdi> · <bdi>{message || t('trade.not_taken')}</bdi>
        </>
      )
      toast({ tone: 'danger', text })
    }
  }, [refusals, toast])
  return null
}

/** Returns the display name of an order's symbol: "BTC/USDT". */
function nameOf({ symbol, marketType }: OrderRequest): string {
  const [code, type] = [symbol.toUpperCase(), readMarketType(marketType)]
  return type === null ? code : titleOf(code, type)
}
