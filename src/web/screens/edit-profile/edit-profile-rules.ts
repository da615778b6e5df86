import type { MobileContext } from '#core/accounts/mobile.ts'
import { afterOwnDialCode, phoneText } from '#core/accounts/phone-text.ts'
import { type Detail, DETAILS, isDetailTooLong, MAX_DETAIL_LENGTH } from '#core/accounts/personal-details.ts'
import { isUsername } from '#core/accounts/username.ts'
import { isMobile } from '#web/forms/phone-plan.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import type { User } from '#web/session/session.ts'

export type ProfileField = Detail | 'username' | 'mobile' | 'country_code'
export type ProfileValues = Readonly<Record<ProfileField, string>>

/** Returns the initial values of the form from the account. */
export function profileValues(user: User): ProfileValues {
  const { username, mobile, country_code, firstname, lastname } = user
  const { address, city, state, zip } = user.address
  return { username, mobile, country_code, firstname, lastname, address, city, state, zip }
}

/** Returns the form's errors by field. The rules are the server's, checked before the request. */
export function profileErrors(values: ProfileValues, ownDialCode: string): FieldErrors<ProfileField> {
  const { username, mobile, country_code } = values
  return {
    ...Object.fromEntries(DETAILS.map((detail) => [detail, detailError(detail, values[detail])])),
    username: required('username', username) ?? (isUsername(username) ? undefined : t('edit_profile.username_invalid')),
    mobile: required('mobile', mobile) ?? mobileError(mobile, { country: country_code, dialCode: '', ownDialCode }),
    country_code: required('country', country_code),
  }
}

/**
 * Returns the number to send. For `62-81234567` the number to send is the part after the hyphen if the part before it
 * is the user's dialling code.
 */
export function mobileToSend(mobile: string, dialCode: string): string {
  const text = phoneText(mobile)
  return (text === null ? null : afterOwnDialCode(text, dialCode)) ?? mobile
}

function mobileError(mobile: string, context: MobileContext): string | undefined {
  return isMobile(mobile, context) ? undefined : t('edit_profile.mobile_invalid')
}

function required(field: 'username' | 'mobile' | 'country', value: string): string | undefined {
  return value.trim() === '' ? t('common.required', { name: t(`edit_profile.${field}`) }) : undefined
}

function detailError(detail: Detail, value: string): string | undefined {
  if (!isDetailTooLong(detail, value)) return undefined
  return t('edit_profile.too_long', { name: t(`edit_profile.${detail}`), most: MAX_DETAIL_LENGTH[detail] })
}
