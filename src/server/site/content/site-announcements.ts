import type { Instant } from '#core/time/instant.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { listUpcoming, type SiteAnnouncement, stateAt } from '#server/site/content/site-announcements.queries.ts'
import { oneAfterAnother } from '#server/platform/concurrency/one-after-another.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** The announcements, cached in memory because every visitor polls them once a minute. */
export interface SiteAnnouncements {
  /** Returns the announcements that are active at an instant. */
  at(now: Instant): readonly SiteAnnouncement[]
  /**
   * Returns a hash of the active announcements, by which open pages notice changes. Empty when no announcement is
   * active.
   */
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
    reload: oneAfterAnother(async () => {
      upcoming = await listUpcoming(ctx.db, ctx.now())
    }),
  }
}
