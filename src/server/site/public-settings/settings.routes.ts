import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { listOutbox } from '#server/platform/messenger/outbox.queries.ts'
import { countriesIn } from '#server/settings/countries.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'

export interface SettingsParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly publicUrl: string | null
  readonly settings: Settings
  readonly messenger: Messenger
  readonly announcements: SiteAnnouncements
  readonly textOverrides: TextOverridesService
}

export function settingsRoutes(
  register: Register,
  { ctx, mode, publicUrl, settings, messenger, announcements, textOverrides }: SettingsParts,
): void {
  register(calls.generalSetting, async () => {
    const site = settings.current
    const announcementVersion = announcements.versionAt(ctx.now())
    const textVersions = textOverrides.versions()
    return answer({
      default_language: site.defaultLanguage,
      invitation_code_status: site.invitationRequired ? 1 : 0,
      site_name: site.siteName,
      deposit_feature: site.depositsOpen ? 1 : 0,
      deposit_reason: site.depositsOpen ? '' : site.depositReason,
      logo_url: site.logoUrl,
      favicon_url: site.faviconUrl,
      mode,
      server_time: ctx.now(),
      operating_since: site.operatingSince,
      outbox: mode === 'demo' && messenger.usesOutbox,
      withdrawal_pause_hours: site.withdrawalPauseHours,
      languages: [...site.languages],
      ...(announcementVersion !== '' && { announcements: announcementVersion }),
      ...(Object.keys(textVersions).length > 0 && { text_versions: { ...textVersions } }),
    } as const)
  })
  register(calls.countries, async ({ language }) => {
    const { countriesAllowed } = settings.current
    const countries = countriesIn(language).filter(
      ({ countryCode }) => countriesAllowed.length === 0 || countriesAllowed.includes(countryCode),
    )
    return answer({ countries })
  })
  // The outbox contains the codes of other users, so only the demo's own machine may read it, never in live mode.
  // Reading all messages requires the key of this start. Where a proxy is expected, so does reading those of one
  // address.
  register(calls.outbox, async ({ query, from }) => {
    const hasRecipient = publicUrl === null && from.isLoopback && query.to !== undefined && query.to !== ''
    if (mode !== 'demo' || !(from.isLocal || hasRecipient)) return refuse('not_found')
    return answer({ messages: await listOutbox(ctx.db, query.to) })
  })
}
