import { useState } from 'react'
import type { SaleRequestOut } from '#contract/sales.ts'
import { Button } from '#ui/button.tsx'
import { formatMoney } from '#ui/format.ts'
import { useCallQuery } from '#web/api/query.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { latePart } from '#web/parts/late-part.tsx'

const SellBackSheet = latePart(async () => (await import('#web/screens/trade/sell-back-sheet.tsx')).SellBackSheet)

const REFRESH_MS = 3_000
/** Orders of five minutes and longer can be sold. */
export const MIN_SALE_SECONDS = 300

/**
 * Sells an open order back, where the operator offers this. The button looks the same whether the order is winning or
 * losing, so that its look does not urge the user to sell.
 */
export function SellBack({ order }: { order: PlacedOrder }) {
  const [use, setUse] = useState<'unused' | 'open' | 'closed'>('unused')
  const args = { params: { id: order.id } }
  const query = useCallQuery('GET /user/trade/:id/sale', args, {
    everyMs: REFRESH_MS,
    until: ({ why_not: whyNot }) => whyNot === 'sale_off',
  })
  const { offer, why_not: whyNot, request } = query.data?.data ?? { offer: null, why_not: 'sale_off', request: null }
  if (whyNot === 'sale_off') return null
  if (request?.state === 'selling') return <output className="mt-3 block text-small">{t('sale.selling')}</output>
  const about = offer && t('sale.about', { amount: formatMoney(moneyOf(offer.paid)) })
  return (
    <div className="mt-3">
      <Button
        variant="quiet"
        size="m"
        wide
        disabled={offer === null}
        aria-haspopup="dialog"
        onClick={() => setUse('open')}
      >
        {t('sale.button')}
        {about !== null && <span> · {about}</span>}
      </Button>
      {whyNot !== null && <p className="text-label text-fg-2">{t(`refusal.${whyNot}`, { symbol: order.symbol })}</p>}
      {request?.state === 'lapsed' && (
        <output className="block text-label text-fg-2">{lapsedText(request, order)}</output>
      )}
      {use !== 'unused' && offer !== null && (
        <SellBackSheet
          // After a request the sheet is remounted, so that the next request gets a new id.
          key={request?.clientSaleId}
          order={order}
          offer={offer}
          open={use === 'open'}
          onClose={() => setUse('closed')}
          onAsked={() => void query.refetch()}
        />
      )}
    </div>
  )
}

function lapsedText({ reason }: SaleRequestOut, { symbol }: PlacedOrder): string {
  if (reason === null) return t('sale.lapsed')
  const isOwn = reason === 'sale_no_price' || reason === 'sale_below_least'
  return `${t('sale.lapsed')} ${isOwn ? t(`sale.${reason}`) : t(`refusal.${reason}`, { symbol })}`
}
