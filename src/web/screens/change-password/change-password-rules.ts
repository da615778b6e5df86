import { passwordRefusal } from '#core/accounts/password.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

export const NO_PASSWORDS = { current_password: '', password: '', password_confirmation: '' }
export type PasswordsField = keyof typeof NO_PASSWORDS

/** Returns the form's errors by field. The rules are the server's, checked before the request. */
export function passwordErrors(values: Readonly<Record<PasswordsField, string>>): FieldErrors<PasswordsField> {
  const { current_password, password, password_confirmation } = values
  return {
    current_password: required(current_password, t('change_password.current')),
    password:
      required(password, t('change_password.new')) ??
      (passwordRefusal(password, password) === null ? undefined : t('change_password.length')),
    password_confirmation:
      required(password_confirmation, t('change_password.confirm')) ??
      (password === password_confirmation ? undefined : t('change_password.mismatch')),
  }
}

function required(value: string, name: string): string | undefined {
  return value === '' ? t('common.required', { name }) : undefined
}
