import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { type GeneralSettingParts, generalSetting } from '#server/site/public-settings/general-setting.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { listOutbox } from '#server/platform/messenger/outbox.queries.ts'
import { countriesIn } from '#server/settings/countries.ts'

export interface SettingsParts extends GeneralSettingParts {
  readonly publicUrl: string | null
}

export function settingsRoutes(register: Register, parts: SettingsParts): void {
  const { ctx, mode, publicUrl, settings } = parts
  register(calls.generalSetting, async () => answer(generalSetting(parts)))
  register(calls.countries, async ({ language }) => {
    const { countriesAllowed } = settings.current
    const countries = countriesIn(language).filter(
      ({ countryCode }) => countriesAllowed.length === 0 || countriesAllowed.includes(countryCode),
    )
    return answer({ countries })
  })
  // The outbox contains the codes of all users. So only the machine that runs a demo may read it. On a live site, the
  // call refuses every caller. Reading all messages requires the demo key of this server start. If the site has a
  // public URL, and so probably a proxy, reading the messages to one address requires the key too.
  register(calls.outbox, async ({ query, from }) => {
    const hasRecipient = publicUrl === null && from.isLoopback && query.to !== undefined && query.to !== ''
    if (mode !== 'demo' || !(from.isLocal || hasRecipient)) return refuse('not_found')
    return answer({ messages: await listOutbox(ctx.db, query.to) })
  })
}
