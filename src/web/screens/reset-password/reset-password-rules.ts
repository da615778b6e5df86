import { passwordRefusal } from '#core/accounts/password.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

export type NewPasswordField = 'email' | 'username' | 'password' | 'password_confirmation'

/** Returns the form's errors by field. The rules are the server's, checked before the request. */
export function newPasswordErrors(
  values: Readonly<Record<NewPasswordField, string>>,
  { needsEmail }: { readonly needsEmail: boolean },
): FieldErrors<NewPasswordField> {
  const { email, password, password_confirmation } = values
  return {
    email: needsEmail ? required(email.trim(), t('reset_password.email')) : undefined,
    password:
      required(password, t('reset_password.password')) ??
      (passwordRefusal(password, password) === null ? undefined : t('signup.password_length')),
    password_confirmation:
      required(password_confirmation, t('reset_password.confirm')) ??
      (password === password_confirmation ? undefined : t('signup.password_mismatch')),
  }
}

function required(value: string, name: string): string | undefined {
  return value === '' ? t('common.required', { name }) : undefined
}
