import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { NO_PASSWORDS, passwordErrors } from '#web/screens/change-password/change-password-rules.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'

export function ChangePasswordScreen() {
  const [times, setTimes] = useState(0)
  return (
    <Page
      title={t('screen.changePassword')}
      header={<DeepHeader title={t('screen.changePassword')} parent="/wallet" />}
      className="pt-1 pb-8"
    >
      <div className="flex flex-col gap-3">
        {times > 0 && (
          <Alert tone="success" title={t('change_password.updated')}>
            {t('change_password.done')}
          </Alert>
        )}
        {/* A new form after each change, so that no typed password stays on the page. */}
        <PasswordForm key={times} onChanged={() => setTimes(times + 1)} />
      </div>
    </Page>
  )
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const username = useSession()?.user.username ?? ''
  const form = useForm({
    initial: NO_PASSWORDS,
    validate: passwordErrors,
    submit: async (body) => {
      await call('POST /user/profile/password', { body })
      onChanged()
    },
  })
  const eye = { showLabel: t('common.show_password'), hideLabel: t('common.hide_password') }
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      {/* Hidden: password managers need the username. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        {...form.field('current_password')}
        {...eye}
        label={t('change_password.current')}
        autoComplete="current-password"
      />
      <PasswordField
        {...form.field('password')}
        {...eye}
        label={t('change_password.new')}
        hint={t('change_password.hint')}
        autoComplete="new-password"
      />
      <PasswordField
        {...form.field('password_confirmation')}
        {...eye}
        label={t('change_password.confirm')}
        autoComplete="new-password"
      />
      <p className="text-label text-fg-2">{t('change_password.note')}</p>
      <PauseNote />
      <Button type="submit" loading={form.busy} className="mt-2">
        {t('change_password.save')}
      </Button>
    </form>
  )
}
