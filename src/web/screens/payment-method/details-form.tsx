import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { afterDetails, isFromWithdraw } from '#core/navigation/withdraw-flow.ts'
import type { MethodField } from '#core/wallet/form-definition.ts'
import { Button } from '#ui/button.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { callKey, queryClient } from '#web/api/query.tsx'
import { answerErrors } from '#web/forms/answer-errors.ts'
import { DesignedFields } from '#web/forms/designed-fields.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import { showNotice } from '#web/session/notice.ts'
import { useGo } from '#web/session/navigation.ts'
import { useQueryText } from '#web/session/use-query-text.ts'

interface DetailsFormProps {
  method: WithdrawMethodOut
  fields: readonly (MethodField & { value: string })[]
}

/** The form defined by the method, filled with the saved values. */
export function DetailsForm({ method, fields }: DetailsFormProps) {
  const go = useGo()
  const toast = useToast()
  const query = useQueryText()
  const form = useForm<string>({
    initial: Object.fromEntries(fields.map(({ label, value }) => [wireName(label), value])),
    validate: (values) => answerErrors(fields, values, wireName),
    submit: async (values) => {
      const information = Object.fromEntries(fields.map(({ label }) => [label, (values[wireName(label)] ?? '').trim()]))
      await call('POST /user/withdrawals/user-withdrawals', {
        body: { withdraw_method_id: method.id, withdrawal_information: information },
      })
      // Awaited, because the next screen checks whether the details are saved.
      await Promise.all([
        queryClient.invalidateQueries({
          queryKey: callKey('GET /user/payment-gateways/withdraw'),
          refetchType: 'all',
        }),
        queryClient.invalidateQueries({ queryKey: callKey('GET /user/withdrawals/user-withdrawals/:id') }),
      ])
      // A toast would cover the form that the withdrawal continues with.
      if (isFromWithdraw(query)) showNotice({ tone: 'success', text: t('payment_method.saved') })
      else toast({ tone: 'success', text: t('payment_method.saved') })
      go(afterDetails(method.id, query), { replace: true })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="mt-3 flex flex-1 flex-col gap-3">
      <FormFailure messages={form.failure} />
      <DesignedFields fields={fields} wireName={wireName} form={form} />
      <PinnedAction>
        <PauseNote className="mb-1.5 text-center" />
        <Button type="submit" loading={form.busy}>
          {t('payment_method.save')}
        </Button>
        <p className="mt-1.5 text-center text-caption text-fg-3">{t('payment_method.note')}</p>
      </PinnedAction>
    </form>
  )
}

function wireName(label: string): string {
  return `withdrawal_information[${label}]`
}
