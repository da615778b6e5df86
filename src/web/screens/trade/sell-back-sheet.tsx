import { type ReactNode, useState } from 'react'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { cx } from '#ui/cx.ts'
import { newId } from '#ui/new-id.ts'
import { Sheet } from '#ui/sheet.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { amountFlawText, readTyped } from '#web/forms/typed-amount.ts'
import { useForm } from '#web/forms/use-form.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { getAccount, isPractice } from '#web/session/account.ts'
import { ownCurrency, ownMoney, spoken } from '#web/session/own-money.tsx'
import { type PlacedOrder, profitOf } from '#web/live/placed-order.ts'

interface SellBackSheetProps {
  order: PlacedOrder
  offer: NonNullable<Reply<'GET /user/trade/:id/sale'>['offer']>
  /** False while the offer is not the present one. Such an offer cannot be taken. */
  isOffered: boolean
  /** Why there is no present offer. */
  reason: string | null
  open: boolean
  onClose: () => void
  /** Called after a request was stored. */
  onAsked: () => void
}

/** The proposed minimum amount is the displayed amount minus 3 % of the stake. */
const SLIPPAGE = 0.03

const amount = (value: number, plus = false) => <span dir="ltr">{spoken(ownMoney(moneyOf(value), { plus }))}</span>

/** Shows what a sale would bring now and what could result from keeping the order, and requests the sale. */
export function SellBackSheet({ open, ...rest }: SellBackSheetProps) {
  // After a failed request, a repeat must not start a sale at another time, so it keeps the id of the first request.
  const [clientSaleId] = useState(newId)
  const [opening, setOpening] = useState({ n: 0, open })
  if (opening.open !== open) setOpening({ n: opening.n + (open ? 1 : 0), open })
  return (
    <Sheet open={open} onClose={rest.onClose} title={t('sale.title')} closeLabel={t('common.close')}>
      {/* Each opening starts a new form, because the offer may have changed and with it the proposed minimum. */}
      <SellBackForm key={opening.n} clientSaleId={clientSaleId} {...rest} />
    </Sheet>
  )
}

interface SellBackFormProps extends Omit<SellBackSheetProps, 'open'> {
  clientSaleId: string
}

function SellBackForm({ order, offer, isOffered, reason, clientSaleId, onClose, onAsked }: SellBackFormProps) {
  const form = useForm({
    initial: { least: suggestLeast(offer.paid, order.stake) },
    validate: ({ least }) => ({ least: problemOf(least) }),
    submit: async ({ least }) => {
      const read = readTyped(least)
      if (!read.ok) return
      await call('POST /user/trade/:id/sell', {
        params: { id: order.id },
        body: { least: moneyText(read.amount), clientSaleId, account: getAccount() },
      })
      onAsked()
      onClose()
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <dl className={cx('flex flex-col gap-1.5 text-small', !isOffered && 'opacity-60')}>
        <Row label={t('sale.chance')}>{`${offer.win_percent}%`}</Row>
        <Row label={t('sale.value')}>{amount(offer.gross)}</Row>
        <Row label={t('sale.fee')}>{amount(-offer.fee)}</Row>
        <Row label={t('sale.paid')}>{amount(offer.paid)}</Row>
        <Row label={t('sale.if_kept')}>
          {amount(profitOf(order), true)} / {amount(-order.stake)}
        </Row>
      </dl>
      <AmountField
        label={t('sale.least')}
        value={form.values.least}
        onChange={(least) => form.set('least', least)}
        onBlur={form.field('least').onBlur}
        limit={isPractice() ? t('shell.practice') : BASE_CURRENCY}
        currency={ownCurrency()}
        error={form.errorOf('least')}
        hint={t('sale.explain')}
      />
      <Button onClick={onClose}>{t('sale.keep')}</Button>
      {!isOffered && reason !== null && <output className="block text-label text-fg-2">{reason}</output>}
      <Button type="submit" variant="secondary" loading={form.busy} disabled={!isOffered}>
        {t('sale.button')}
      </Button>
    </form>
  )
}

function suggestLeast(paid: number, stake: number): string {
  return Math.max(0.01, paid - stake * SLIPPAGE).toFixed(2)
}

function problemOf(least: string): string | undefined {
  const read = readTyped(least)
  return read.ok ? undefined : amountFlawText(read, BASE_CURRENCY)
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="text-fg-2">{label}</dt>
      <dd className="num font-semibold">{children}</dd>
    </div>
  )
}
