import { readMobile } from '#core/accounts/mobile.ts'
import { type Detail, detailRefusal, DETAILS, LONGEST_DETAIL } from '#core/accounts/personal-details.ts'
import { isUsername } from '#core/accounts/username.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import type { User } from '#web/shell/session.ts'

export type ProfileField = Detail | 'username' | 'mobile' | 'country_code'
export type ProfileValues = Readonly<Record<ProfileField, string>>

/** The form as it starts: what is known of the account. */
export function profileValues(user: User): ProfileValues {
  const { username, mobile, country_code, firstname, lastname } = user
  const { address, city, state, zip } = user.address
  return { username, mobile, country_code, firstname, lastname, address, city, state, zip }
}

/** What is wrong with the form, by field: the server's own rules, told before it is asked. */
export function profileErrors(values: ProfileValues): FieldErrors<ProfileField> {
  const { username, mobile, country_code } = values
  return {
    ...Object.fromEntries(DETAILS.map((detail) => [detail, detailError(detail, values[detail])])),
    username: required('username', username) ?? (isUsername(username) ? undefined : t('edit_profile.username_invalid')),
    mobile: required('mobile', mobile) ?? (readMobile(mobile) === null ? t('edit_profile.mobile_invalid') : undefined),
    country_code: required('country', country_code),
  }
}

/** The number as it is sent: without a dialling code that was typed before a hyphen. */
export function mobileToSend(mobile: string): string {
  return readMobile(mobile) ?? mobile
}

function required(field: 'username' | 'mobile' | 'country', value: string): string | undefined {
  return value.trim() === '' ? t('common.required', { name: t(`edit_profile.${field}`) }) : undefined
}

function detailError(detail: Detail, value: string): string | undefined {
  const name = t(`edit_profile.${detail}`)
  switch (detailRefusal(detail, value)) {
    case 'text_too_long':
      return t('edit_profile.too_long', { name, most: LONGEST_DETAIL[detail] })
    case 'text_invalid':
      return t('edit_profile.unusable', { name })
    default:
      return undefined
  }
}
