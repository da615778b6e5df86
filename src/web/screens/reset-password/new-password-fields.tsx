import type { FieldProps } from '#ui/field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { t } from '#web/i18n/t.ts'

type FieldName = 'password' | 'password_confirmation'
type Bound = Omit<FieldProps, 'type' | 'end' | 'label'>

/** The new password and its repetition, for forms that replace a lost password. */
export function NewPasswordFields({ fieldOf }: { fieldOf: (name: FieldName) => Bound }) {
  const eye = { showLabel: t('common.show_password'), hideLabel: t('common.hide_password') }
  return (
    <>
      <PasswordField
        {...fieldOf('password')}
        {...eye}
        label={t('reset_password.password')}
        hint={t('reset_password.hint')}
        autoComplete="new-password"
      />
      <PasswordField
        {...fieldOf('password_confirmation')}
        {...eye}
        label={t('reset_password.confirm')}
        autoComplete="new-password"
      />
    </>
  )
}
