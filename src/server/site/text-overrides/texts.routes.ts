import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { originalOf } from '#messages/check-text.ts'
import { readLanguage } from '#messages/languages.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { ENGLISH_TEXTS, shippedTexts } from '#server/site/text-overrides/shipped-texts.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'

/**
 * Registers two public calls: the overridden texts of a language for browsers, and all overrides beside the shipped
 * texts for people who want to compare.
 */
export function textsRoutes(
  register: Register,
  { ctx, textOverrides }: { readonly ctx: Ctx; readonly textOverrides: TextOverridesService },
): void {
  const take = createRateLimiter(READ_LIMITS.texts)

  register(calls.textOverrides, async ({ params }) => {
    const language = readLanguage(params.language)
    if (language === null) return refuse('not_found')
    const { version, texts } = textOverrides.of(language)
    return answer({ version, texts: { ...texts } }, { tag: `${language}-${version}` })
  })

  register(calls.proofTexts, async ({ from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const texts = textOverrides.changed().map(({ language, key, text, updatedAt }) => ({
      language,
      key,
      ours: shippedTexts(language).texts.get(key) ?? originalOf(ENGLISH_TEXTS, key) ?? '',
      theirs: text ?? '',
      since: toIso(updatedAt),
    }))
    return answer({ texts })
  })
}
