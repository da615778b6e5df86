import { useState } from 'react'
import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import type { Money } from '#core/money/money.ts'
import { quoteWithdrawal } from '#core/wallet/withdrawal-quote.ts'
import { Button } from '#ui/button.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { call } from '#web/api/call.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { answerErrors } from '#web/forms/answer-errors.ts'
import { DesignedFields } from '#web/forms/designed-fields.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { OperatorText } from '#web/forms/operator-text.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { termsOf } from '#web/gateways/gateway-terms.ts'
import { t } from '#web/i18n/t.ts'
import { LeaveCode } from '#web/screens/leave/leave-code.tsx'
import { MethodPicker } from '#web/screens/withdraw/method-picker.tsx'
import { PayoutCard } from '#web/screens/withdraw/payout-card.tsx'
import { pinError } from '#web/screens/withdraw/withdraw-rules.ts'
import type { User } from '#web/session/session.ts'
import { refreshUser } from '#web/site/refresh-user.ts'

interface LeaveFormProps {
  user: User
  methods: readonly WithdrawMethodOut[]
  available: Money
  /** The masked address to which the required code is sent. Null when the request needs no code. */
  codeTo: string | null
}

/** The method, then its form. A blocked user cannot save payment details, so they are entered here. */
export function LeaveForm({ user, methods, available, codeTo }: LeaveFormProps) {
  const [only, another] = methods
  const [method, setMethod] = useState(another === undefined ? (only ?? null) : null)
  return (
    <>
      <MethodPicker methods={methods} chosen={method} onChoose={setMethod} />
      {method && <DestinationForm key={method.id} user={user} method={method} available={available} codeTo={codeTo} />}
    </>
  )
}

const PIN = 'withdrawal_code'
const CODE = 'code'

function DestinationForm({
  user,
  method,
  available,
  codeTo,
}: Pick<LeaveFormProps, 'user' | 'available' | 'codeTo'> & { method: WithdrawMethodOut }) {
  const fields = method.form.form_data
  const hasPin = user.withdrawal_code_enabled
  const form = useForm<string>({
    initial: {
      ...Object.fromEntries(fields.map(({ label, value }) => [wireName(label), value ?? ''])),
      [PIN]: '',
      [CODE]: '',
    },
    validate: (values) => ({
      ...answerErrors(fields, values, wireName),
      ...(codeTo !== null && { [CODE]: pinError(values[CODE] ?? '', t('leave.code')) }),
      ...(hasPin && { [PIN]: pinError(values[PIN] ?? '', t('withdraw.pin')) }),
    }),
    submit: async (values) => {
      const details = Object.fromEntries(fields.map(({ label }) => [label, (values[wireName(label)] ?? '').trim()]))
      await call('POST /user/leave', {
        body: {
          method_id: method.id,
          fields: details,
          ...(hasPin && { withdrawal_code: values[PIN] ?? '' }),
          ...(codeTo !== null && { code: values[CODE] ?? '' }),
        },
      })
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: callKey('GET /user/leave') }),
        queryClient.invalidateQueries({ queryKey: callKey('GET /user/withdrawals') }),
        refreshUser(),
      ])
    },
  })
  const terms = termsOf(method)
  const quote = quoteWithdrawal({ ...terms, minimum: available, maximum: available }, available)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <OperatorText html={method.description} />
      <DesignedFields fields={fields} wireName={wireName} form={form} />
      <PayoutCard method={method} quote={quote.ok ? quote.value : null} />
      {hasPin && (
        <>
          <PinField
            label={t('withdraw.pin')}
            value={form.values[PIN] ?? ''}
            onChange={(value) => form.set(PIN, value)}
            error={form.errorOf(PIN)}
          />
          <p className="text-small text-fg-2">{t('recovery.forgot_pin')}</p>
        </>
      )}
      {codeTo !== null && (
        <LeaveCode
          address={codeTo}
          value={form.values[CODE] ?? ''}
          onChange={(value) => form.set(CODE, value)}
          error={form.errorOf(CODE)}
        />
      )}
      <div>
        <Button type="submit" loading={form.busy}>
          {t('leave.submit')}
        </Button>
        <p className="mt-1.5 text-center text-caption text-fg-3">{t('leave.note')}</p>
      </div>
    </form>
  )
}

function wireName(label: string): string {
  return `fields[${label}]`
}
