import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import type { z } from 'zod'
import type { saveProfile as saveProfileContract } from '#contract/profile.ts'
import { readMobile, readMobileCode } from '#core/accounts/mobile.ts'
import { type Detail, detailRefusal, DETAILS, LONGEST_DETAIL, tidyDetail } from '#core/accounts/personal-details.ts'
import { isUsername } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { SignedIn } from '#server/auth/authenticate.ts'
import { takeAttempt } from '#server/limits/attempts.ts'
import type { Ctx } from '#server/context.ts'
import type { Language } from '#server/messages.ts'
import { needsConfirmation } from '#server/security/confirm.ts'
import {
  findProfile,
  forgetProvenMobile,
  isNameTaken,
  type ProfileChange,
  updateProfile,
} from '#server/profile/profile.queries.ts'
import { noteSecurityChange } from '#server/security/security-change.queries.ts'
import type { SignIns } from '#server/security/sign-ins.ts'
import { readAddress } from '#server/profile/user-out.ts'
import { countriesIn } from '#server/settings/countries.ts'

type Form = z.output<typeof saveProfileContract.body>
export type SaveProfileRefusal = (typeof saveProfileContract.refusals)[number]

/** Changes what a person says of themselves. Details that are not sent stay as they are; an empty text clears them. */
export async function saveProfile(
  { ctx, signIns }: { readonly ctx: Ctx; readonly signIns: Pick<SignIns, 'notify'> },
  user: Pick<SignedIn, 'userId' | 'tokenHash'>,
  form: Form,
  language: Language,
): Promise<Result<undefined, SaveProfileRefusal>> {
  const { userId } = user
  const known = await findProfile(ctx.db, userId)
  const before: Record<Detail, string> = {
    ...readAddress(known?.address),
    firstname: known?.firstName ?? '',
    lastname: known?.lastName ?? '',
  }
  const change = readForm(form, before, language)
  if (!change.ok) return change
  const { mobile, mobileCode } = change.value
  const isOtherNumber = mobile !== known?.mobile || mobileCode !== known.mobileCode
  const isOtherName = change.value.username !== known?.username
  // Both are ways into the account: a stolen session alone must not change them.
  if ((isOtherNumber || isOtherName) && (await needsConfirmation(ctx, user, { always: true }))) {
    return refuse('confirmation_needed')
  }
  // Asking for one name after the other would list who has an account.
  if (isOtherName) {
    const wait = await takeAttempt(ctx, { limit: 'rename', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  }
  const isSensitive = isOtherNumber || isOtherName
  const isKept = await ctx.db
    .transaction()
    .execute(async (tx) => {
      if (!(await updateProfile(tx, userId, change.value))) return false
      if (isOtherNumber) await forgetProvenMobile(tx, userId)
      if (isSensitive) await noteSecurityChange(tx, userId, ctx.now())
      return true
    })
    .catch((error: unknown) => {
      if (isNameTaken(error)) return false
      throw error
    })
  if (!isKept) return refuse('username_taken')
  if (isOtherName) signIns.notify(userId, 'username')
  if (isOtherNumber)
    signIns.notify(userId, 'mobile', [`${known?.mobileCode ?? ''}${known?.mobile ?? ''}`, `${mobileCode}${mobile}`])
  return ok()
}

function readForm(
  form: Form,
  before: Readonly<Record<Detail, string>>,
  language: Language,
): Result<ProfileChange, SaveProfileRefusal> {
  if (!isUsername(form.username)) return refuse('username_invalid')
  const countryCode = form.country_code.toUpperCase()
  if (!isSupportedCountry(countryCode)) return refuse('country_unknown')
  const mobile = readMobile(form.mobile)
  const mobileCode = readMobileCode(form.mobile_code ?? '')
  if (mobile === null || mobileCode === null) return refuse('mobile_invalid')
  const details = { ...before }
  for (const detail of DETAILS) {
    const given = form[detail]
    if (given === undefined || given === null) continue
    const refusal = detailRefusal(detail, given)
    if (refusal) return refuse(refusal, { field: detail, params: { name: detail, most: LONGEST_DETAIL[detail] } })
    details[detail] = tidyDetail(given)
  }
  return ok({
    ...details,
    username: form.username,
    mobile,
    mobileCode: mobileCode === '' ? dialCodeOf(countryCode) : mobileCode,
    countryCode,
    country: countriesIn(language).find((country) => country.countryCode === countryCode)?.country ?? countryCode,
  })
}

function dialCodeOf(country: CountryCode): string {
  return `+${getCountryCallingCode(country)}`
}
