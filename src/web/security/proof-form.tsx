import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { passkeyFailure } from '#web/security/passkeys.ts'
import { canUsePasskeys } from '#web/security/passkey-support.ts'

interface ProofFormProps {
  /** The kind of secret that the user types into the field; null for a form without a field. */
  asks: 'code' | 'password' | null
  submitLabel: string
  onTyped: (typed: string) => Promise<void>
  /** Proves the identity with a passkey. Set if a passkey is available. */
  onPasskey?: (() => Promise<void>) | undefined
}

/** A form to prove one's identity: with a code, a password or a passkey. */
export function ProofForm({ asks, submitLabel, onTyped, onPasskey }: ProofFormProps) {
  const label = asks === 'password' ? t('change_password.current') : t('security.code_or_recovery')
  const name = asks === 'password' ? 'password' : 'code'
  const form = useForm({
    initial: { [name]: '' },
    validate: (values) => ({ [name]: values[name] === '' ? t('common.required', { name: label }) : undefined }),
    submit: (values) => onTyped(values[name] ?? ''),
  })
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  const usePasskey = async (use: () => Promise<void>) => {
    setFailure('')
    setBusy(true)
    try {
      await use()
    } catch (error) {
      setFailure(passkeyFailure(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      {failure !== '' && <Alert tone="danger">{failure}</Alert>}
      {asks === 'password' && (
        <PasswordField
          {...form.field(name)}
          label={label}
          autoComplete="current-password"
          showLabel={t('common.show_password')}
          hideLabel={t('common.hide_password')}
        />
      )}
      {asks === 'code' && (
        <Field
          {...form.field(name)}
          label={label}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          ltr
        />
      )}
      {asks !== null && (
        <Button type="submit" loading={form.busy}>
          {submitLabel}
        </Button>
      )}
      {onPasskey && canUsePasskeys() && (
        <Button
          variant={asks === null ? 'primary' : 'secondary'}
          loading={busy}
          onClick={() => void usePasskey(onPasskey)}
        >
          {t('security.use_passkey')}
        </Button>
      )}
    </form>
  )
}
