import { useState } from 'react'
import type { SaleRequestOut } from '#contract/sales.ts'
import { Button } from '#ui/button.tsx'
import type { Reply } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useConnection } from '#web/live/live-store.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { latePart } from '#web/parts/late-part.tsx'

const SellBackSheet = latePart(async () => (await import('#web/screens/trade/sell-back-sheet.tsx')).SellBackSheet)

const REFRESH_MS = 3_000
/** Selling may be offered again, for example after a pause of the symbol. */
const OFF_REFRESH_MS = 30_000
/** An offer that was not renewed by three requests is not shown as the present one. */
const FRESH_MS = 3 * REFRESH_MS
/** Orders of five minutes and longer can be sold. */
export const MIN_SALE_SECONDS = 300

const NOTHING: Reply<'GET /user/trade/:id/sale'> = { offer: null, why_not: 'sale_off', request: null }

/**
 * Sells an open order back, where the operator offers this. The button looks the same whether the order is winning or
 * losing, so that its look does not urge the user to sell.
 */
export function SellBack({ order }: { order: PlacedOrder }) {
  const [use, setUse] = useState<'unused' | 'open' | 'closed'>('unused')
  const isOffline = useConnection() === 'offline'
  const args = { params: { id: order.id }, query: { account: useAccount() } }
  const query = useCallQuery('GET /user/trade/:id/sale', args, {
    everyMs: (answer) => (answer?.why_not === 'sale_off' ? OFF_REFRESH_MS : REFRESH_MS),
    freshMs: FRESH_MS,
  })
  const { offer: newest, why_not: whyNot, request } = query.data?.data ?? NOTHING
  const isCurrent = !isOffline && !query.isStale && !query.isError
  const offer = isCurrent ? newest : null
  // The open sheet stays while there is no offer, with the last offer and the typed minimum.
  const [last, setLast] = useState(offer)
  if (offer !== null && offer !== last) setLast(offer)
  const isSelling = request?.state === 'selling'
  if (isSelling && use === 'open') setUse('closed')
  if (isSelling) return <output className="mt-3 block text-small">{t('sale.selling')}</output>
  const isOff = whyNot === 'sale_off'
  const lapsed = request?.state === 'lapsed' ? request : null
  if (isOff && lapsed === null && use !== 'open') return null
  const about = offer && t('sale.about', { amount: ownMoney(moneyOf(offer.paid)) })
  const fault = isOffline || isUnreached(query) ? t('trade.offline') : query.isError ? t('common.load_failed') : null
  const reason = whyNot !== null ? t(`refusal.${whyNot}`, { symbol: order.symbol }) : fault
  return (
    <div className="mt-3">
      {!isOff && (
        <Button
          variant="quiet"
          size="m"
          wide
          disabled={offer === null}
          aria-haspopup="dialog"
          onClick={() => setUse('open')}
        >
          {t('sale.button')}
          {about !== null && <span> · {spoken(about)}</span>}
        </Button>
      )}
      {!isOff && reason !== null && <p className="text-label text-fg-2">{reason}</p>}
      {lapsed && <output className="block text-label text-fg-2">{lapsedText(lapsed, order)}</output>}
      {use !== 'unused' && last !== null && (
        <SellBackSheet
          // After a request the sheet is remounted, so that the next request gets a new id.
          key={request?.clientSaleId}
          order={order}
          offer={last}
          isOffered={offer !== null}
          reason={reason}
          open={use === 'open'}
          onClose={() => setUse('closed')}
          onAsked={() => void query.refetch()}
        />
      )}
    </div>
  )
}

/** Whether no server replied, in contrast to a server that replied with an error. */
function isUnreached({ isPaused, error }: { readonly isPaused: boolean; readonly error: Error | null }): boolean {
  return isPaused || (error instanceof CallFailure && error.kind === 'network')
}

function lapsedText({ reason }: SaleRequestOut, { symbol }: PlacedOrder): string {
  if (reason === null) return t('sale.lapsed')
  const isOwn = reason === 'sale_no_price' || reason === 'sale_below_least'
  return `${t('sale.lapsed')} ${isOwn ? t(`sale.${reason}`) : t(`refusal.${reason}`, { symbol })}`
}
