import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { readLanguage } from '#messages/languages.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'

/** Registers the call for texts that differ from those built into the app. */
export function textsRoutes(
  register: Register,
  { textOverrides }: { readonly textOverrides: TextOverridesService },
): void {
  register(calls.textOverrides, async ({ params }) => {
    const language = readLanguage(params.language)
    if (language === null) return refuse('not_found')
    const { version, texts } = textOverrides.of(language)
    return answer({ version, texts: { ...texts } }, { tag: `${language}-${version}` })
  })
}
