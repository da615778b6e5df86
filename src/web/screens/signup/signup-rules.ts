import { isEmail } from '#core/accounts/email.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { isUsername } from '#core/accounts/username.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import { isMobile } from '#web/forms/phone-plan.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

export const NO_SIGNUP_VALUES = {
  username: '',
  country_code: '',
  mobile: '',
  email: '',
  password: '',
  password_confirmation: '',
  invitation_code: '',
}
export type SignupField = keyof typeof NO_SIGNUP_VALUES
export type SignupValues = Readonly<Record<SignupField, string>>

/** Returns the form's errors by field. The rules are the server's, checked before the request. */
export function signupErrors(values: SignupValues, needsInvitation: boolean): FieldErrors<SignupField> {
  const { mobile, password, password_confirmation } = values
  // The server also normalises the username and the email, because pasted text often contains invisible characters.
  const username = normaliseLine(values.username)
  const email = normaliseLine(values.email)
  const refusal = passwordRefusal(password, password_confirmation)
  return {
    username:
      required(username, t('signup.username')) ?? (isUsername(username) ? undefined : t('signup.username_invalid')),
    mobile:
      required(mobile, t('signup.mobile')) ??
      (isMobile(mobile, { country: values.country_code, dialCode: '' }) ? undefined : t('signup.mobile_invalid')),
    email: email === '' || isEmail(email) ? undefined : t('signup.email_invalid'),
    password:
      required(password, t('signup.password')) ??
      (refusal === 'password_length' ? t('signup.password_length') : undefined),
    password_confirmation:
      required(password_confirmation, t('signup.confirm_password')) ??
      (password === password_confirmation ? undefined : t('signup.password_mismatch')),
    invitation_code: needsInvitation ? required(values.invitation_code, t('signup.access_code')) : undefined,
  }
}

function required(value: string, name: string): string | undefined {
  return value.trim() === '' ? t('common.required', { name }) : undefined
}
