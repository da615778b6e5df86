import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { keepAddress, keptAddress } from '#web/screens/forgot-password/reset-address.ts'
import { newPasswordErrors } from '#web/screens/reset-password/reset-password-rules.ts'
import { AuthHeader } from '#web/shell/headers.tsx'
import { useFullPath, useGo } from '#web/shell/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { signOut } from '#web/shell/session.ts'

/** The page that a right code leads to. Without a code nobody gets here. */
export function ResetPasswordScreen() {
  const code = new URLSearchParams(useFullPath().split('?')[1]).get('code') ?? ''
  return (
    <Page title={t('screen.reset_password')} header={<AuthHeader />} className="pt-3 lg:pt-12">
      <div className="flex flex-1 flex-col md:mx-auto md:w-full md:max-w-[480px] md:flex-none">
        <h1 className="text-auth">{t('reset_password.title')}</h1>
        <p className="mt-1 mb-5 text-fg-2">{t('reset_password.explain')}</p>
        <PasswordForm code={code} />
        <p className="mt-2 text-center">
          <Link
            href="/forgot-password"
            onClick={() => keepAddress(null)}
            className="inline-flex min-h-11 items-center font-semibold text-brand"
          >
            {t('reset_password.new_code')}
          </Link>
        </p>
      </div>
    </Page>
  )
}

function PasswordForm({ code }: { code: string }) {
  const go = useGo()
  const say = useToast()
  const form = useForm({
    initial: { email: keptAddress(), password: '', password_confirmation: '' },
    validate: newPasswordErrors,
    submit: async (values) => {
      await call('POST /user/auth/resetPassword', { body: { ...values, email: values.email.trim(), token: code } })
      keepAddress(null)
      // The server has ended all sessions of the account.
      signOut()
      go('/', { replace: true })
      say({ tone: 'success', text: t('reset_password.done') })
    },
  })
  const eye = { showLabel: t('common.show_password'), hideLabel: t('common.hide_password') }
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <Field
        {...form.field('email')}
        label={t('reset_password.email')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ltr
      />
      <PasswordField
        {...form.field('password')}
        {...eye}
        label={t('reset_password.password')}
        hint={t('reset_password.hint')}
        autoComplete="new-password"
      />
      <PasswordField
        {...form.field('password_confirmation')}
        {...eye}
        label={t('reset_password.confirm')}
        autoComplete="new-password"
      />
      <Button type="submit" loading={form.busy} className="mt-3">
        {t('reset_password.save')}
      </Button>
    </form>
  )
}
