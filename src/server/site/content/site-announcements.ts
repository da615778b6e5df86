import type { Instant } from '#core/time/instant.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { listUpcoming, type SiteAnnouncement, stateAt } from '#server/site/content/site-announcements.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** What everyone is told above the app; kept in memory, since every visitor asks every minute. */
export interface SiteAnnouncements {
  /** Those that count at this moment. */
  at(now: Instant): readonly SiteAnnouncement[]
  /** Another text whenever anything of them differs; empty when there are none. */
  versionAt(now: Instant): string
  reload(): Promise<void>
}

export async function loadSiteAnnouncements(ctx: Pick<Ctx, 'db' | 'now'>): Promise<SiteAnnouncements> {
  let upcoming = await listUpcoming(ctx.db, ctx.now())
  const at = (now: Instant) => upcoming.filter((announcement) => stateAt(announcement, now) === 'now')
  return {
    at,
    versionAt(now) {
      const shown = at(now)
      return shown.length === 0
        ? ''
        : contentHash({ shown: shown.map(({ id, version }) => [id, version]) }).slice(0, 16)
    },
    async reload() {
      upcoming = await listUpcoming(ctx.db, ctx.now())
    },
  }
}
