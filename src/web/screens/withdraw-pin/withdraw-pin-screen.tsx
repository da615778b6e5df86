import { afterPin, isFromWithdraw } from '#core/navigation/withdraw-flow.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { PinnedAction } from '#ui/pinned-action.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { pinError } from '#web/screens/withdraw/withdraw-rules.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { showNotice } from '#web/session/notice.ts'
import { useGo } from '#web/session/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { refreshUser } from '#web/site/refresh-user.ts'
import { updateUser, useSession } from '#web/session/session.ts'
import { useQueryText } from '#web/session/use-query-text.ts'

export function WithdrawPinScreen() {
  const user = useSession()?.user
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  const hasPin = user.withdrawal_code_enabled
  return (
    <Page
      title={t('withdraw_pin.title')}
      header={<DeepHeader title={t('withdraw_pin.title')} parent="/wallet" />}
      className="pt-1"
    >
      <PinForm key={String(hasPin)} hasPin={hasPin} />
    </Page>
  )
}

function PinForm({ hasPin }: { hasPin: boolean }) {
  const go = useGo()
  const toast = useToast()
  const query = useQueryText()
  const cameFromWithdraw = isFromWithdraw(query)
  const form = useForm({
    initial: { current_withdrawal_code: '', withdrawal_code: '', withdrawal_code_confirmation: '' },
    validate: (values) => ({
      current_withdrawal_code: hasPin ? pinError(values.current_withdrawal_code, t('withdraw_pin.current')) : undefined,
      withdrawal_code: pinError(values.withdrawal_code, t('withdraw_pin.next')),
      withdrawal_code_confirmation: confirmationError(values),
    }),
    submit: async ({ current_withdrawal_code, ...values }) => {
      try {
        await call('POST /user/profile/withdrawal-code', {
          body: { ...values, ...(hasPin && { current_withdrawal_code }) },
        })
      } catch (error) {
        if (error instanceof CallFailure && error.code === 'pin_wrong') form.set('current_withdrawal_code', '')
        // The PIN was set on another device. The reloaded account contains this change, and the form then requires the
        // current PIN.
        if (!hasPin) await refreshUser()
        throw error
      }
      // A toast would cover the form that the withdrawal continues with.
      if (cameFromWithdraw) showNotice({ tone: 'success', text: t('withdraw_pin.updated') })
      else toast({ tone: 'success', text: t('withdraw_pin.updated') })
      go(afterPin(query), { replace: true })
      updateUser({ withdrawal_code_enabled: true })
    },
  })
  const pin = (name: keyof typeof form.values) => ({
    value: form.values[name],
    onChange: (value: string) => form.set(name, value),
    error: form.errorOf(name),
    autoComplete: 'off' as const,
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-1 flex-col gap-4 lg:max-w-[480px]">
      {cameFromWithdraw && !hasPin && <Alert tone="info">{t('withdraw_pin.needed')}</Alert>}
      <p className="text-small text-fg-2">{t('withdraw_pin.explain')}</p>
      <FormFailure messages={form.failure} />
      {hasPin && <PinField label={t('withdraw_pin.current')} {...pin('current_withdrawal_code')} />}
      <PinField label={t('withdraw_pin.next')} hint={t('withdraw_pin.hint')} {...pin('withdrawal_code')} />
      <PinField label={t('withdraw_pin.confirm')} {...pin('withdrawal_code_confirmation')} />
      {hasPin && <p className="text-small text-fg-2">{t('recovery.forgot_pin')}</p>}
      <PauseNote />
      <PinnedAction>
        <Button type="submit" loading={form.busy}>
          {t(hasPin ? 'withdraw_pin.change' : 'withdraw_pin.set')}
        </Button>
      </PinnedAction>
    </form>
  )
}

function confirmationError(values: { withdrawal_code: string; withdrawal_code_confirmation: string }) {
  const { withdrawal_code: next, withdrawal_code_confirmation: confirmation } = values
  if (confirmation === '') return t('common.required', { name: t('withdraw_pin.confirm') })
  return next === confirmation ? undefined : t('refusal.pin_mismatch')
}
