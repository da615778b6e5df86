import type { CallReply } from '#contract/call.ts'
import type { calls } from '#contract/calls.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { depositsClosedReason, type Settings } from '#server/settings/site-settings.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'

export interface GeneralSettingParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
  readonly settings: Settings
  readonly messenger: Messenger
  readonly catalogue: Pick<MarketCatalogue, 'maintenance'>
  readonly announcements: SiteAnnouncements
  readonly textOverrides: TextOverridesService
}

export type GeneralSetting = CallReply<typeof calls.generalSetting>

/** Returns the facts of the site that every page needs. These facts are equal for all visitors. */
export function generalSetting(parts: GeneralSettingParts): GeneralSetting {
  const { ctx, mode, settings, messenger, catalogue, announcements, textOverrides } = parts
  const site = settings.current
  const announcementVersion = announcements.versionAt(ctx.now())
  const closedReason = depositsClosedReason(site, ctx.now())
  const maintenance = catalogue.maintenance.find(({ to }) => to === null || to > ctx.now())
  const textVersions = textOverrides.versions()
  return {
    default_language: site.defaultLanguage,
    invitation_code_status: site.invitationRequired ? 1 : 0,
    site_name: site.siteName,
    deposit_feature: closedReason === null ? 1 : 0,
    deposit_reason: closedReason ?? '',
    logo_url: site.logoUrl,
    favicon_url: site.faviconUrl,
    mode,
    server_time: ctx.now(),
    operating_since: site.operatingSince,
    outbox: mode === 'demo' && messenger.usesOutbox,
    withdrawal_pause_hours: site.withdrawalPauseHours,
    languages: [...site.languages],
    ...(maintenance && { maintenance }),
    minimum_ages: { ...site.minimumAges },
    changed_texts: textOverrides.changed().length,
    ...(announcementVersion !== '' && { announcements: announcementVersion }),
    ...(Object.keys(textVersions).length > 0 && { text_versions: { ...textVersions } }),
  }
}
