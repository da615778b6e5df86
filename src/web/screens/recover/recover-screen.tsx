import { PIN_DIGITS, readPin } from '#core/accounts/pin.ts'
import { RECOVERY_PAUSE_MS } from '#core/accounts/recovery.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { PinField } from '#ui/pin-field.tsx'
import { useToast } from '#ui/toast.tsx'
import { type Reply, call } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { NewPasswordFields } from '#web/screens/reset-password/new-password-fields.tsx'
import { newPasswordErrors } from '#web/screens/reset-password/reset-password-rules.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import { useGo } from '#web/session/navigation.ts'
import { signOut } from '#web/session/session.ts'
import { AuthHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'

type Recovery = NonNullable<Reply<'GET /recovery/:token'>['recovery']>

export const RecoverScreen = withData(Recover)

/** Sets new access to an account by the link of a recovery. */
function Recover({ params }: ScreenProps) {
  const token = params['token'] ?? ''
  const query = useCallQuery('GET /recovery/:token', { params: { token } })
  const recovery = query.data?.data.recovery ?? null
  return (
    <Page title={t('screen.recover')} header={<AuthHeader />} className="pt-3 lg:pt-12">
      <div className="flex flex-1 flex-col [overflow-wrap:anywhere] md:mx-auto md:w-full md:max-w-[480px] md:flex-none">
        <h1 className="text-auth">{t('screen.recover')}</h1>
        <p className="mt-1 mb-5 text-fg-2">{t('recovery.explain')}</p>
        <ListStates query={query} isEmpty={recovery === null} emptyText={t('refusal.recovery_link_over')}>
          {recovery && <FactorsForm token={token} recovery={recovery} />}
        </ListStates>
      </div>
    </Page>
  )
}

function FactorsForm({ token, recovery: { username, lost } }: { token: string; recovery: Recovery }) {
  const go = useGo()
  const say = useToast()
  const needsPin = lost.includes('pin')
  const form = useForm({
    initial: { password: '', password_confirmation: '', withdrawal_code: '', withdrawal_code_confirmation: '' },
    validate: (values) => ({
      ...newPasswordErrors({ ...values, email: '', username: '' }, { needsEmail: false }),
      ...(needsPin && pinErrors(values)),
    }),
    submit: async (values) => {
      await call('POST /recovery/:token', { params: { token }, body: values })
      // The server has ended all sessions of the account.
      signOut()
      go('/', { replace: true })
      say({ tone: 'success', text: t('recovery.done') })
    },
  })
  const pin = (name: 'withdrawal_code' | 'withdrawal_code_confirmation') => ({
    value: form.values[name],
    onChange: (value: string) => form.set(name, value),
    error: form.errorOf(name),
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <p className="text-small text-fg-2">{t('recovery.for_account', { name: username })}</p>
      {lost.includes('second_step') && <p className="text-small text-fg-2">{t('recovery.second_step')}</p>}
      <NewPasswordFields fieldOf={form.field} />
      {needsPin && (
        <>
          <PinField label={t('withdraw_pin.next')} hint={t('withdraw_pin.hint')} {...pin('withdrawal_code')} />
          <PinField label={t('withdraw_pin.confirm')} {...pin('withdrawal_code_confirmation')} />
        </>
      )}
      <PauseNote minHours={RECOVERY_PAUSE_MS / HOUR_MS} />
      <Button type="submit" loading={form.busy} className="mt-3">
        {t('recovery.save')}
      </Button>
    </form>
  )
}

function pinErrors({ withdrawal_code: next, withdrawal_code_confirmation: confirmation }: Record<string, string>) {
  return {
    withdrawal_code: readPin(next ?? '') === null ? t('refusal.pin_format', { number: PIN_DIGITS }) : undefined,
    withdrawal_code_confirmation: next === confirmation ? undefined : t('refusal.pin_mismatch'),
  }
}
