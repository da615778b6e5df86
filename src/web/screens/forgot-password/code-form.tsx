import { Button } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { keepAccounts, keepAddress, keepRequest, storedRequest } from '#web/screens/forgot-password/reset-address.ts'
import { ownDevice } from '#web/security/device.ts'
import { useGo } from '#web/session/navigation.ts'
import { OutboxHint } from '#web/shell/outbox-hint.tsx'

/**
 * The field for the code, and the address to which the code was sent. A valid code leads to the page for the new
 * password.
 */
export function CodeForm({ address, onOther }: { address: string; onOther: () => void }) {
  const go = useGo()
  const form = useForm({
    initial: { code: '', email: address },
    saidAbove: ['code'],
    validate: ({ code, email }) => ({
      code: code.trim() === '' ? t('common.required', { name: t('forgot_password.code') }) : undefined,
      email: email.trim() === '' ? t('common.required', { name: t('forgot_password.address') }) : undefined,
    }),
    submit: async ({ code, email }) => {
      const body = { code: code.trim(), email: email.trim(), request: storedRequest(), device: ownDevice() }
      const { data } = await call('POST /user/auth/verifyCode', { body })
      // The user may have retyped the address. The request secret is kept, because it belongs to the code and not to
      // the address.
      keepAddress(body.email)
      keepRequest(body.request ?? null)
      keepAccounts(data.accounts)
      go(`/reset-password?code=${encodeURIComponent(body.code)}`)
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-1 flex flex-col gap-3">
      <output className="block text-fg-2">{t('forgot_password.sent', { address })}</output>
      <OutboxHint />
      <FormFailure messages={form.failure} />
      <CodeField {...form.field('code')} label={t('forgot_password.code')} maxLength={20} />
      <Field
        {...form.field('email')}
        label={t('forgot_password.address')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ltr
      />
      <Button type="submit" loading={form.busy} className="mt-3">
        {t('forgot_password.check')}
      </Button>
      <Button variant="secondary" onClick={onOther}>
        {t('forgot_password.other')}
      </Button>
    </form>
  )
}
