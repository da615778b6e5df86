import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Link } from '#ui/link.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import {
  keepAddress,
  storedAccounts,
  storedAddress,
  storedRequest,
} from '#web/screens/forgot-password/reset-address.ts'
import { NewPasswordFields } from '#web/screens/reset-password/new-password-fields.tsx'
import { newPasswordErrors } from '#web/screens/reset-password/reset-password-rules.ts'
import { keepDevice, ownDevice } from '#web/security/device.ts'
import { PauseNote } from '#web/security/pause-note.tsx'
import { AuthHeader } from '#web/shell/headers.tsx'
import { useFullPath, useGo } from '#web/session/navigation.ts'
import { Page } from '#web/shell/page.tsx'
import { signOut } from '#web/session/session.ts'

/** The page for the new password. It requires a code. */
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

/** The code of a link is longer than a typed code, and needs no address. */
function isLinkCode(code: string): boolean {
  return code.length > 20
}

/** The usernames whose password the code may set. The code of a link requests them once. */
function useAccounts(code: string): { accounts: readonly string[]; failure: readonly string[] } {
  const [accounts, setAccounts] = useState(storedAccounts)
  const [failure, setFailure] = useState<readonly string[]>([])
  useEffect(() => {
    if (!isLinkCode(code)) return undefined
    const controller = new AbortController()
    const { signal } = controller
    call('POST /user/auth/verifyCode', { body: { code, device: ownDevice() }, signal }).then(
      ({ data }) => setAccounts(data.accounts),
      (error: unknown) => {
        if (!signal.aborted) setFailure([failureText(error)])
      },
    )
    return () => controller.abort()
  }, [code])
  return { accounts, failure }
}

function PasswordForm({ code }: { code: string }) {
  const go = useGo()
  const say = useToast()
  const isLink = isLinkCode(code)
  const { accounts, failure } = useAccounts(code)
  const [first = ''] = accounts
  const form = useForm({
    initial: { email: isLink ? '' : storedAddress(), username: '', password: '', password_confirmation: '' },
    validate: (values) => newPasswordErrors(values, { needsEmail: !isLink }),
    submit: async (values) => {
      const { data } = await call('POST /user/auth/resetPassword', {
        body: {
          ...values,
          email: values.email.trim(),
          username: values.username || first,
          token: code,
          request: storedRequest(),
          device: ownDevice(),
        },
      })
      keepDevice(data.device)
      keepAddress(null)
      // The server has ended all sessions of the account.
      signOut()
      go('/', { replace: true })
      say({ tone: 'success', text: t('reset_password.done') })
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure.length > 0 ? form.failure : failure} />
      {!isLink && (
        <Field
          {...form.field('email')}
          label={t('reset_password.email')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          ltr
        />
      )}
      {accounts.length === 1 && (
        <p className="text-small text-fg-2">{t('reset_password.for_account', { name: first })}</p>
      )}
      {accounts.length > 1 && (
        <Select
          label={t('reset_password.account')}
          name="username"
          value={form.values.username || first}
          error={form.errorOf('username')}
          onChange={(username) => form.set('username', username)}
          options={accounts.map((name) => ({ value: name, label: name }))}
        />
      )}
      <NewPasswordFields fieldOf={form.field} />
      <PauseNote />
      <Button type="submit" loading={form.busy} className="mt-3">
        {t('reset_password.save')}
      </Button>
    </form>
  )
}
