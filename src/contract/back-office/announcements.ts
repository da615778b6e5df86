import { z } from 'zod'
import { defineStaffCall, defineStaffList, LanguageCode, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'

const State = z.enum(['now', 'planned', 'over'])
const Tone = z.enum(['info', 'warn'])

const AnnouncementRow = z.object({
  id: z.string(),
  state: State,
  tone: Tone,
  /** The English text of the announcement. */
  text: z.string(),
  link: z.string(),
  from: IsoTime,
  until: IsoTime,
  languages: z.string(),
  version: z.number(),
})
export type AnnouncementRow = z.output<typeof AnnouncementRow>

export const staffAnnouncements = defineStaffList({
  path: '/admin/announcements',
  may: 'content.see',
  summary: 'All announcements, newest first.',
  filters: { state: optionalFilter(State) },
  row: AnnouncementRow,
})

const Id = z.object({ id: z.uuid() })

export const staffAnnouncement = defineStaffCall({
  method: 'GET',
  path: '/admin/announcements/:id',
  may: 'content.see',
  summary: 'One announcement in all its languages.',
  params: Id,
  reply: AnnouncementRow.extend({ texts: z.record(z.string(), z.string()), site_language: z.string() }),
  refusals: ['not_found'],
})

export const staffSaveAnnouncement = defineStaffCall({
  method: 'POST',
  path: '/admin/announcements/:id/save',
  may: 'content.edit',
  summary: 'Stores an announcement. Version 0 creates it once, under the id from the caller.',
  params: Id,
  body: z.object({
    version: z.number().int().min(0),
    tone: Tone,
    link: z.string().trim().max(500),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    texts: z.record(LanguageCode, z.string().trim().max(300)),
  }),
  reply: z.object({ version: z.number() }),
  refusals: [
    'not_found',
    'changed_meanwhile',
    'content_link_unsafe',
    'text_has_address',
    'announcement_text_needed',
    'period_invalid',
    'language_unknown',
  ],
})

export const staffRemoveAnnouncement = defineStaffCall({
  method: 'POST',
  path: '/admin/announcements/:id/remove',
  may: 'content.edit',
  summary: 'Removes an announcement.',
  params: Id,
  body: z.object({ version: z.number().int() }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile'],
})
