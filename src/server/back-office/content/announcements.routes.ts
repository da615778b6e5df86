import type { AnnouncementRow } from '#contract/back-office/announcements.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { LANGUAGE_CODES } from '#messages/languages.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { announcementText } from '#server/site/content/announcement-text.ts'
import { removeAnnouncement, saveAnnouncement } from '#server/site/content/save-announcement.ts'
import {
  findAnnouncement,
  listAnnouncements,
  type SiteAnnouncement,
  stateAt,
} from '#server/site/content/site-announcements.queries.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffAnnouncementsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly announcements: SiteAnnouncements
}

/** Registers the calls for announcements. */
export function staffAnnouncementsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings, announcements }: StaffAnnouncementsParts,
): void {
  registerList(staffCalls.staffAnnouncements, async ({ filters: { state }, after, limit }) => {
    const found = await listAnnouncements(ctx.db, { state: state ?? null, now: ctx.now() }, { after, limit })
    return found.map((one) => ({ row: toRow(one), cursor: [one.from, one.id] }))
  })

  register(staffCalls.staffAnnouncement, async ({ params: { id } }) => {
    const found = await findAnnouncement(ctx.db, id)
    if (!found) return refuse('not_found')
    return ok({ ...toRow(found), texts: { ...found.texts }, site_language: settings.current.defaultLanguage })
  })

  register(staffCalls.staffSaveAnnouncement, async ({ params: { id }, body, actor }) => {
    const period = { from: instant(Date.parse(body.from)), until: instant(Date.parse(body.until)) }
    const siteLanguage = settings.current.defaultLanguage
    return saveAnnouncement({ ctx, announcements, siteLanguage }, { ...body, ...period, id, actor })
  })

  register(staffCalls.staffRemoveAnnouncement, async ({ params: { id }, body: { version }, actor }) => {
    const done = await removeAnnouncement({ ctx, announcements }, { id, version, actor })
    return done.ok ? ok(null) : done
  })

  function toRow(one: SiteAnnouncement): AnnouncementRow {
    return {
      id: one.id,
      state: stateAt(one, ctx.now()),
      tone: one.tone,
      text: announcementText(one, 'en', settings.current.defaultLanguage),
      link: one.link,
      from: toIso(one.from),
      until: toIso(one.until),
      languages: LANGUAGE_CODES.filter((code) => code in one.texts).join(' '),
      version: one.version,
    }
  }
}
