import { isSupportedCountry } from 'libphonenumber-js/min'
import type { z } from 'zod'
import type { register as registerContract } from '#contract/auth.ts'
import { isPlaceRefused } from '#core/accounts/country-rules.ts'
import { hasAgreed } from '#core/accounts/agreement.ts'
import { isEmail } from '#core/accounts/email.ts'
import { readMobile, readMobileCode } from '#core/accounts/mobile.ts'
import { minimumAge } from '#core/accounts/minimum-age.ts'
import { passwordRefusal } from '#core/accounts/password.ts'
import { isUsername } from '#core/accounts/username.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import {
  attemptsWereRight,
  consumeAttempt,
  consumeAttempts,
  refundedOnError,
} from '#server/platform/limits/attempt-limits.ts'
import { strangerAsker } from '#server/platform/limits/fair-queue.ts'
import { lockUsableCode, useAccessCode } from '#server/users/access-codes/access-codes.queries.ts'
import { findUserId, insertUser } from '#server/users/accounts/users.queries.ts'
import { isCommonPassword } from '#server/platform/credentials/common-password.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { Opened, LogInRecorder } from '#server/users/sessions/record-log-in.ts'
import { findTermsOfUse, insertConsent, type TermsOfUse } from '#server/users/terms-of-use/terms-of-use.queries.ts'
import type { SiteSettings } from '#server/settings/site-settings.ts'

type Form = z.output<typeof registerContract.body>
export type RegisterRefusal = (typeof registerContract.refusals)[number]

export interface RegisterParts {
  /** Maximum sign-ups per network and hour. */
  readonly signUpsPerHour: number
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly signIns: LogInRecorder
  readonly settings: SiteSettings
  readonly mode: 'demo' | 'live'
}

/** The validated input of a sign-up. */
interface Account {
  readonly username: string
  readonly email: string | null
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly invitationCode: string | null
  /** The minimum age that the user declared to have reached. Null when the user declared none. */
  readonly declaredAge: number | null
}

class TermsChangedError extends Error {
  override readonly name = 'TermsChangedError'
}

/**
 * Creates an account with balance 0 and opens its first session. A sign-up must reveal that a name is taken, so the
 * attempts of each network are limited.
 */
export async function register(
  parts: RegisterParts,
  form: Form,
  from: Device & { readonly language: Language },
): Promise<Result<Opened, RegisterRefusal>> {
  const { ctx, passwords, signUpsPerHour } = parts
  const account = readForm(form, parts)
  if (!account.ok) return account
  const { countryRules } = parts.settings
  if (isPlaceRefused(countryRules, 'sign_up', { declared: account.value.countryCode, address: from.country }))
    return refuse('country_not_allowed')
  const wait = await consumeAttempt(ctx, { limit: 'sign_up_network', key: subnetOf(from.address), max: signUpsPerHour })
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  if ((await findUserId(ctx.db, account.value.username)) !== null) return refuse('username_taken')
  const code = parts.settings.invitationRequired ? account.value.invitationCode : null
  const { current: terms } = await findTermsOfUse(ctx.db, from.language)
  if ((form.terms_version ?? terms.version) !== terms.version) return refuse('terms_changed')
  // The attempt counts before the code is checked, so that concurrent sign-ups cannot try more codes.
  const codeAttempts = code === null ? [] : [{ limit: 'access_code_network', key: subnetOf(from.address) } as const]
  const locked = await consumeAttempts(ctx, codeAttempts)
  if (locked > 0) return refuse('too_many_attempts', { params: { seconds: locked } })

  // A busy server or a database that fails over must not lock out users with a right code.
  const opened = await refundedOnError(ctx, codeAttempts, async () => {
    const passwordHash = await passwords.hash(form.password, strangerAsker(from.address))
    return await openAccount(
      parts,
      { ...account.value, passwordHash },
      { code, terms, from, device: form.device ?? null },
    )
  })
  if (opened.ok) ctx.publish({ kind: 'account-changed', userId: opened.value.userId })
  if (opened.ok || opened.refusal !== 'invitation_wrong') await attemptsWereRight(ctx, codeAttempts)
  return opened
}

/** Stores the account with its consent, and opens its first session. */
async function openAccount(
  { ctx, signIns }: RegisterParts,
  account: Account & { readonly passwordHash: string },
  {
    code,
    terms,
    from,
    device,
  }: {
    /** The access code that the sign-up needs. Null when the site needs none. */
    readonly code: string | null
    readonly terms: Pick<TermsOfUse, 'version' | 'sha256'>
    readonly from: Device & { readonly language: Language }
    readonly device: string | null
  },
): Promise<Result<Opened, RegisterRefusal>> {
  const now = ctx.now()
  const user = { ...account, id: ctx.newId(), language: from.language, createdAt: now }
  const entry = { userId: user.id, how: 'password', from, device } as const
  const open = async (tx: Tx): Promise<Result<Opened, RegisterRefusal>> => {
    const codeId = code === null ? null : await lockUsableCode(tx, code, { countryCode: user.countryCode, now })
    if (code !== null && codeId === null) return refuse('invitation_wrong')
    if (!(await insertUser(tx, user))) return refuse('username_taken')
    if (codeId !== null) await useAccessCode(tx, { codeId, userId: user.id, now })
    const { version, sha256 } = terms
    const consent = { userId: user.id, version, sha256, language: from.language, how: 'sign_up' } as const
    // Other terms came into force while the password was hashed. The error undoes the new account.
    if (!(await insertConsent(tx, consent))) throw new TermsChangedError()
    return ok(await signIns.open(tx, entry))
  }
  return await ctx.db
    .transaction()
    .execute(open)
    .catch((error: unknown) => {
      if (error instanceof TermsChangedError) return refuse('terms_changed')
      throw error
    })
}

function readForm(form: Form, { settings, mode }: RegisterParts): Result<Account, RegisterRefusal> {
  if (!isUsername(form.username)) return refuse('username_invalid')
  const email = form.email || null
  if (email !== null && !isEmail(email)) return refuse('email_invalid')
  const countryCode = (form.country_code ?? '').toUpperCase()
  if (countryCode !== '' && !isSupportedCountry(countryCode)) return refuse('country_unknown')
  const dialCode = readMobileCode(form.mobile_code ?? '')
  const mobile = dialCode === null ? null : readMobile(form.mobile, { country: countryCode, dialCode })
  if (mobile === null) return refuse('mobile_invalid')
  // If the site allows only some countries, or refuses some, the sign-up must name the user's country.
  const { countriesAllowed, countryRules } = settings
  const isCountryNeeded = countryRules.rules.some((rule) => rule.sign_up === 'refuse')
  if (countriesAllowed.length > 0 && !countriesAllowed.includes(countryCode)) return refuse('country_not_allowed')
  if (isCountryNeeded && countryCode === '') return refuse('country_not_allowed')
  const password = passwordRefusal(form.password, form.password_confirmation)
  if (password) return refuse(password)
  if (isCommonPassword(form.password)) return refuse('password_common')
  const invitationCode = form.invitation_code || null
  if (settings.invitationRequired && invitationCode === null) return refuse('invitation_required')
  if (!hasAgreed(form.agree)) return refuse('terms_required')
  const age = minimumAge(settings.minimumAges, countryCode)
  if (mode === 'live' && form.age !== true) return refuse('age_required', { params: { age } })
  return ok({
    username: form.username,
    email,
    mobile: mobile.number,
    mobileCode: mobile.code,
    countryCode,
    invitationCode,
    declaredAge: form.age === true ? age : null,
  })
}
