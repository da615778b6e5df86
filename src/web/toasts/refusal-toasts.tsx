import { useEffect } from 'react'
import { readMarketType } from '#core/markets/market.ts'
import { useStore } from '#ui/state/store.ts'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import type { OrderRequest } from '#web/live/pending-orders.ts'
import { unseenRefusals } from '#web/live/unseen-refusals.ts'
import { useAccount } from '#web/session/account.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

/** Shows a toast for each refused order of this tab's account that no form shows. Renders nothing itself. */
export function RefusalToasts() {
  const toast = useToast()
  const refusals = useStore(unseenRefusals)
  const account = useAccount()
  useEffect(() => {
    // Refusals of the other account wait until the user shows that account.
    const own = refusals.filter(({ request }) => (request.account ?? 'live') === account)
    if (own.length === 0) return
    unseenRefusals.set(refusals.filter((refusal) => !own.includes(refusal)))
    for (const { request, message } of own) {
      const text = (
        <>
          <bdi>{nameOf(request)}</bdi> · <bdi>{message || t('trade.not_taken')}</bdi>
        </>
      )
      toast({ tone: 'danger', text })
    }
  }, [refusals, account, toast])
  return null
}

/** Returns the display name of an order's symbol: "BTC/USDT". */
function nameOf({ symbol, marketType }: OrderRequest): string {
  const [code, type] = [symbol.toUpperCase(), readMarketType(marketType)]
  return type === null ? code : titleOf(code, type)
}
