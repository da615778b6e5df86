import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { keepRequest } from '#web/screens/forgot-password/reset-address.ts'
import { ownDevice } from '#web/security/device.ts'

/** Requests a code. The reply does not reveal whether the account exists. */
export function AddressForm({ onSent }: { onSent: (address: string) => void }) {
  const form = useForm({
    initial: { value: '' },
    validate: ({ value }) => ({
      value: value.trim() === '' ? t('common.required', { name: t('forgot_password.value') }) : undefined,
    }),
    submit: async ({ value }) => {
      const body = { value: value.trim(), device: ownDevice() }
      const { data } = await call('POST /user/auth/forgetPassword', { body })
      onSent(value.trim())
      keepRequest(data.request)
    },
  })
  return (
    <form onSubmit={form.onSubmit} noValidate className="mt-1 flex flex-col gap-3">
      <p className="mb-2 text-fg-2">{t('forgot_password.explain')}</p>
      <FormFailure messages={form.failure} />
      <Field
        {...form.field('value')}
        label={t('forgot_password.value')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ltr
      />
      <Button type="submit" loading={form.busy} className="mt-3">
        {t('forgot_password.send')}
      </Button>
    </form>
  )
}
