import { calls } from '#contract/calls.ts'
import type { TermsOfUseOut, TermsVersionOut } from '#contract/terms-of-use.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import {
  findConsent,
  findTermsOfUse,
  findTermsVersion,
  insertConsent,
  listTermsVersions,
  type TermsOfUse,
} from '#server/users/terms-of-use/terms-of-use.queries.ts'

/** Registers the calls for the terms of use: their versions, and the consent of a user. */
export function termsOfUseRoutes(register: Register, ctx: Ctx): void {
  const reply = async (userId: string | null, language: Language): Promise<TermsOfUseOut> => {
    const { current, upcoming } = await findTermsOfUse(ctx.db, language)
    const { agreed, isNeeded } = userId === null ? { agreed: null, isNeeded: false } : await findConsent(ctx.db, userId)
    const versions = await listTermsVersions(ctx.db)
    return {
      current: toVersion(current),
      upcoming: upcoming && toVersion(upcoming),
      agreed: agreed && { ...agreed, at: toIso(agreed.at) },
      needed: isNeeded,
      versions: versions.map(({ version, from }) => ({ version, from: toIso(from) })),
    }
  }

  register(calls.termsOfUse, async ({ user, language }) => answer(await reply(user?.userId ?? null, language)))
  register(calls.termsOfUseVersion, async ({ params: { version }, language }) => {
    const isNumber = /^[1-9]\d{0,8}$/.test(version)
    const found = isNumber ? await findTermsVersion(ctx.db, Number(version), language) : null
    return found ? answer(toVersion(found)) : refuse('not_found')
  })
  register(calls.agreeToTerms, async ({ user: { userId }, body, language }) => {
    if (!(await insertConsent(ctx.db, { userId, ...body, language, how: 'terms' }))) return refuse('terms_changed')
    ctx.publish({ kind: 'account-changed', userId })
    return answer(await reply(userId, language))
  })
}

function toVersion({ version, title, text, summary, sha256, from, needsConsent }: TermsOfUse): TermsVersionOut {
  return { version, title, text, summary, sha256, from: toIso(from), needs_consent: needsConsent }
}
