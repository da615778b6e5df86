import { useState } from 'react'
import type { GatewayOut } from '#contract/deposits.ts'
import { moneyText } from '#core/money/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Chips } from '#ui/chips.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { formatMoney } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { OperatorText } from '#web/forms/operator-text.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { smallestRoom, roomText } from '#web/limits/limit-text.ts'
import { useOwnLimits } from '#web/limits/own-limits.ts'
import { plain, termsOf } from '#web/gateways/gateway-terms.ts'
import { depositErrors, fieldName, quickAmounts, quoteOf } from '#web/screens/deposit/deposit-rules.ts'
import { GatewayFields } from '#web/screens/deposit/gateway-fields.tsx'
import { GatewayPicker } from '#web/screens/deposit/gateway-picker.tsx'
import { QuoteCard } from '#web/screens/deposit/quote-card.tsx'
import { useRequestId } from '#web/forms/request-id.ts'
import { useReceipts } from '#web/screens/deposit/use-receipts.ts'
import { useGo } from '#web/session/navigation.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import { getSession } from '#web/session/session.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

const DEPOSIT_FORM = 'deposit-form'

/** The deposit form: gateway, amount, the gateway's own fields, and the summary. */
export function DepositForm({ gateways, first }: { gateways: readonly GatewayOut[]; first: GatewayOut }) {
  const [chosenId, setChosenId] = useState(first.id)
  const gateway = gateways.find((one) => one.id === chosenId) ?? first
  const go = useGo()
  const toast = useToast()
  const receipts = useReceipts()
  const requestId = useRequestId()
  const form = useForm<string>({
    initial: { amount: '' },
    validate: (values) => {
      const files = filesOf(gateway).map((name) => [name, receipts.problemOf(name)] as const)
      // The error of a file replaces the message that a file is required.
      const problems = Object.fromEntries(files.filter(([, problem]) => problem !== undefined))
      return { ...depositErrors(gateway, values), ...problems }
    },
    submit: async (values) => {
      const parts = formParts(gateway, values, receipts.fileOf)
      const request = { ...parts, client_request_id: requestId(`${gateway.id} ${parts.amount}`) }
      const { data } = await call('POST /user/deposits/save', { form: request }).catch(showChangedMethod)
      void queryClient.invalidateQueries({ queryKey: callKey('GET /user/deposits') })
      await refreshUser()
      const amount = formatMoney(moneyOf(data.deposit.credited))
      const text = t(data.deposit.status === 1 ? 'deposit.done_instant' : 'deposit.done_review', { amount })
      toast({ tone: 'success', text })
      const service = getSession()?.user.customer_link ?? ''
      if (service === '') go('/')
      else globalThis.location.assign(service)
    },
  })
  const { minimum, maximum } = termsOf(gateway)
  const { currency, wallet_address: address } = gateway.single_currency
  const typed = form.values['amount'] ?? ''
  const quick = quickAmounts(gateway)
  const room = smallestRoom(useOwnLimits().data?.data, ['deposit'])
  return (
    <form id={DEPOSIT_FORM} noValidate onSubmit={form.onSubmit} className="flex flex-1 flex-col gap-3">
      <FormFailure messages={form.failure} />
      <GatewayPicker gateways={gateways} chosen={gateway} onChoose={setChosenId} />
      <OperatorText html={gateway.description} />
      <AmountField
        label={t('deposit.amount')}
        value={typed}
        onChange={(value) => form.set('amount', value)}
        onBlur={form.field('amount').onBlur}
        currency=""
        limit={currency}
        error={form.errorOf('amount')}
        hint={
          <>
            {t('deposit.limits', { min: plain(minimum), max: plain(maximum), currency })}
            <Link href="/account/limits" className="hit block w-fit underline-offset-4 hover:underline">
              {room === null ? t('screen.limits') : roomText(room)}
            </Link>
          </>
        }
      />
      {quick.length > 0 && (
        <Chips
          label={t('deposit.quick')}
          look="filled"
          options={quick.map((value) => ({ value, label: value.toLocaleString('en-US') }))}
          value={quick.find((value) => `${value}` === typed) ?? null}
          onChange={(value) => form.set('amount', String(value))}
        />
      )}
      {address !== '' && (
        <Card>
          <h2 className="mb-2 text-small font-semibold">{t('deposit.send_to')}</h2>
          <CopyRow text={address} labels={copyLabels()} />
          <AddressHistory gateway={gateway} />
        </Card>
      )}
      <GatewayFields gateway={gateway} form={form} receipts={receipts} />
      <QuoteCard gateway={gateway} quote={quoteOf(gateway, typed)} />
      <PinnedAction>
        <Button type="submit" loading={form.busy}>
          {t('deposit.submit')}
        </Button>
        <p className="mt-1.5 text-center text-caption text-fg-3">
          {t(gateway.is_automatic ? 'deposit.instant_note' : 'deposit.review_note')}
        </p>
      </PinnedAction>
    </form>
  )
}

/**
 * Shows since when the deposit address has been in use. For a new address, the last letters of the former address are
 * shown, so that users notice a change.
 */
function AddressHistory({ gateway: { address_history: history } }: { gateway: GatewayOut }) {
  if (history === null) return null
  return (
    <p className="mt-2 text-label text-fg-2">
      {t('deposit.address_since', { date: dayAndTimeText(Date.parse(history.since)) })}
      {history.before !== null && <> {t('deposit.address_before', { letters: history.before })}</>}
    </p>
  )
}

/** Loads the payment methods again when the chosen one has changed, so that the user sees the change. */
function showChangedMethod(error: unknown): never {
  if (error instanceof CallFailure && error.code === 'gateway_changed')
    void queryClient.invalidateQueries({ queryKey: callKey('GET /user/payment-gateways/deposit') })
  throw error
}

function formParts(
  gateway: GatewayOut,
  values: Readonly<Record<string, string>>,
  fileOf: (name: string) => File | null,
) {
  const quote = quoteOf(gateway, values['amount'] ?? '')
  const fields: [string, string | File][] = []
  for (const { label, type } of gateway.form.form_data) {
    const value = type === 'file' ? fileOf(fieldName(label)) : values[fieldName(label)]
    if (value) fields.push([label, value])
  }
  return {
    method_id: gateway.id,
    method_version: gateway.version,
    amount: quote === null ? '' : moneyText(quote.amount),
    fields: Object.fromEntries(fields),
  }
}

function filesOf(gateway: GatewayOut): string[] {
  return gateway.form.form_data.filter(({ type }) => type === 'file').map(({ label }) => fieldName(label))
}
