import { isSupportedCountry } from 'libphonenumber-js/min'
import type { z } from 'zod'
import type { saveProfile as saveProfileContract } from '#contract/profile.ts'
import { type Mobile, readMobile, readMobileCode } from '#core/accounts/mobile.ts'
import { type Detail, DETAILS, isDetailTooLong, MAX_DETAIL_LENGTH } from '#core/accounts/personal-details.ts'
import { isUsername } from '#core/accounts/username.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
import {
  findProfile,
  forgetProvenMobile,
  isNameTaken,
  noteCountry,
  type ProfileChange,
  updateProfile,
} from '#server/users/accounts/profile.queries.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'
import { noteSecurityChange } from '#server/users/security/security-change.queries.ts'
import { readAddress } from '#server/users/accounts/user-reply.ts'
import { countriesIn } from '#server/settings/countries.ts'

type Form = z.output<typeof saveProfileContract.body>
export type SaveProfileRefusal = (typeof saveProfileContract.refusals)[number]

/** Updates a user's profile. Omitted fields stay unchanged, and empty texts clear a field. */
export async function saveProfile(
  ctx: Ctx,
  user: Pick<AuthenticatedUser, 'userId' | 'tokenHash'>,
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
  const own = { code: known?.mobileCode ?? '', number: known?.mobile ?? '' }
  const change = readForm(form, { before, own, language })
  if (!change.ok) return change
  const { mobile, mobileCode } = change.value
  const isOtherNumber = mobile !== known?.mobile || mobileCode !== known.mobileCode
  const isOtherName = change.value.username !== known?.username
  // Users log in with the name or the phone number, so a stolen session alone must not change them.
  if ((isOtherNumber || isOtherName) && (await needsConfirmation(ctx, user, { always: true }))) {
    return refuse('confirmation_needed')
  }
  // New names are limited, because a caller who tries many names could find out which accounts exist.
  if (isOtherName) {
    const wait = await consumeAttempt(ctx, { limit: 'rename', key: userId })
    if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  }
  const isSaved = await ctx.db
    .transaction()
    .execute(async (tx) => {
      if (!(await updateProfile(tx, userId, change.value))) return false
      if (isOtherNumber) await forgetProvenMobile(tx, userId)
      const at = ctx.now()
      const { countryCode: country } = change.value
      if (country !== known?.countryCode) await noteCountry(tx, { userId, country, at })
      if (isOtherName) await noteSecurityChange(tx, { userId, what: 'username', at })
      if (isOtherNumber) {
        const numbers = [`${known?.mobileCode ?? ''}${known?.mobile ?? ''}`, `${mobileCode}${mobile}`]
        await noteSecurityChange(tx, { userId, what: 'mobile', at, numbers })
        await keepTraits(tx, ctx.vault, userId)
      }
      return true
    })
    .catch((error: unknown) => {
      if (isNameTaken(error)) return false
      throw error
    })
  if (!isSaved) return refuse('username_taken')
  return ok()
}

interface Known {
  readonly before: Readonly<Record<Detail, string>>
  readonly own: Mobile
  readonly language: Language
}

function readForm(form: Form, { before, own, language }: Known): Result<ProfileChange, SaveProfileRefusal> {
  if (!isUsername(form.username)) return refuse('username_invalid')
  const countryCode = form.country_code.toUpperCase()
  if (!isSupportedCountry(countryCode)) return refuse('country_unknown')
  const dialCode = readMobileCode(form.mobile_code ?? '')
  const context = { country: countryCode, dialCode: dialCode ?? '', ownDialCode: own.code }
  const typed = dialCode === null ? null : readMobile(form.mobile, context)
  if (typed === null) return refuse('mobile_invalid')
  const mobile = isSameNumber(own, typed, countryCode) ? own : typed
  const details = { ...before }
  for (const detail of DETAILS) {
    const given = form[detail]
    if (given === undefined || given === null) continue
    if (isDetailTooLong(detail, given)) {
      return refuse('text_too_long', { field: detail, params: { name: detail, most: MAX_DETAIL_LENGTH[detail] } })
    }
    details[detail] = normaliseLine(given)
  }
  return ok({
    ...details,
    username: form.username,
    mobile: mobile.number,
    mobileCode: mobile.code,
    countryCode,
    country: countriesIn(language).find((country) => country.countryCode === countryCode)?.country ?? countryCode,
  })
}

/**
 * Returns whether a stored number with a trunk zero equals the typed number. Clients display the stored number and send
 * it back unchanged.
 */
function isSameNumber(own: Mobile, typed: Mobile, country: string): boolean {
  if (own.code !== typed.code) return false
  return own.number === typed.number || readMobile(own.number, { country, dialCode: own.code })?.number === typed.number
}
