import { isSupportedCountry } from 'libphonenumber-js/min'
import type { z } from 'zod'
import type { saveProfile as saveProfileContract } from '#contract/profile.ts'
import { type Mobile, readMobile, readMobileCode } from '#core/accounts/mobile.ts'
import { type Detail, DETAILS, isDetailTooLong, MAX_DETAIL_LENGTH } from '#core/accounts/personal-details.ts'
import { isUsername } from '#core/accounts/username.ts'
import { normaliseLine } from '#core/text/normalise-text.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { AuthenticatedUser } from '#server/platform/http/signed-in.ts'
import {
  type Attempt,
  consumeAttempts,
  refundAttempt,
  refundedOnError,
} from '#server/platform/limits/attempt-limits.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { needsConfirmation } from '#server/users/security/confirm-identity.ts'
import {
  findProfile,
  forgetProvenMobile,
  isNameTaken,
  lockProfile,
  noteCountry,
  type Profile,
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
  const read = await readChange(ctx, ctx.db, { user, form, language })
  if (!read.ok) return read
  const wait = await consumeAttempts(ctx, attemptsOf(userId, read.value))
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const numberAttempts = read.value.isOtherNumber ? [numberAttempt(userId)] : []
  const saved = await refundedOnError(ctx, numberAttempts, async () =>
    ctx.db
      .transaction()
      .execute(async (tx): Promise<Result<boolean, SaveProfileRefusal>> => {
        // Another save, or the erasing of the account, may have come between. Then other changes need a confirmation.
        if (!(await lockProfile(tx, userId))) return refuse('confirmation_needed')
        const change = await readChange(ctx, tx, { user, form, language })
        if (!change.ok) return change
        if (needsMoreAttempts(read.value, change.value)) return ok(false)
        await storeChange(ctx, tx, userId, change.value)
        return ok(true)
      })
      .catch((error: unknown) => {
        if (isNameTaken(error)) return refuse('username_taken')
        throw error
      }),
  )
  // A number that was not stored causes no messages.
  if (read.value.isOtherNumber && !(saved.ok && saved.value)) await refundAttempt(ctx, numberAttempt(userId))
  if (!saved.ok) return saved
  // Another call changed the name or number during this save, so this save changes it back, which is limited.
  return saved.value ? ok() : await saveProfile(ctx, user, form, language)
}

interface ReadChange {
  readonly known: Profile | null
  readonly change: ProfileChange
  readonly isOtherNumber: boolean
  readonly isOtherName: boolean
}

/**
 * Returns the limits of a change. New names are limited, because a caller who tries many names could find out which
 * accounts exist. New numbers are limited, because each change sends text messages.
 */
function attemptsOf(userId: string, { isOtherName, isOtherNumber }: ReadChange): Attempt[] {
  return [
    ...(isOtherName ? [{ limit: 'rename', key: userId } as const] : []),
    ...(isOtherNumber ? [numberAttempt(userId)] : []),
  ]
}

function numberAttempt(userId: string): Attempt {
  return { limit: 'change_mobile', key: userId }
}

/** Returns whether a change, as it is now, has a limit that was not counted when it was read first. */
function needsMoreAttempts(counted: ReadChange, now: ReadChange): boolean {
  return (now.isOtherName && !counted.isOtherName) || (now.isOtherNumber && !counted.isOtherNumber)
}

/** Compares the form with the stored profile. Refuses a change that the user must confirm first. */
async function readChange(
  ctx: Ctx,
  db: Db,
  {
    user,
    form,
    language,
  }: {
    readonly user: Pick<AuthenticatedUser, 'userId' | 'tokenHash'>
    readonly form: Form
    readonly language: Language
  },
): Promise<Result<ReadChange, SaveProfileRefusal>> {
  const known = await findProfile(db, user.userId)
  const before: Record<Detail, string> = {
    ...readAddress(known?.address),
    firstname: known?.firstName ?? '',
    lastname: known?.lastName ?? '',
  }
  const own = { code: known?.mobileCode ?? '', number: known?.mobile ?? '' }
  const change = readForm(form, { before, own, language })
  if (!change.ok) return change
  const { mobile, mobileCode, username } = change.value
  const isOtherNumber = mobile !== known?.mobile || mobileCode !== known.mobileCode
  const isOtherName = username !== known?.username
  // Users log in with the name or the phone number, so a stolen session alone must not change them.
  if ((isOtherNumber || isOtherName) && (await needsConfirmation({ ...ctx, db }, user, { always: true }))) {
    return refuse('confirmation_needed')
  }
  return ok({ known, change: change.value, isOtherNumber, isOtherName })
}

async function storeChange(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  { known, change, isOtherNumber, isOtherName }: ReadChange,
): Promise<void> {
  const at = ctx.now()
  const { mobile, mobileCode, countryCode: country } = change
  await updateProfile(tx, userId, change)
  if (country !== known?.countryCode) await noteCountry(tx, { userId, country, at })
  if (isOtherName) await noteSecurityChange(tx, { userId, what: 'username', at })
  if (isOtherNumber) {
    const numbers = [`${known?.mobileCode ?? ''}${known?.mobile ?? ''}`, `${mobileCode}${mobile}`]
    await noteSecurityChange(tx, { userId, what: 'mobile', at, numbers })
    // The notice says which number was proven, so it is written first.
    await forgetProvenMobile(tx, userId)
    await keepTraits(tx, ctx.vault, userId)
  }
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
