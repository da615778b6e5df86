import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { ASK_REFUSALS, Pending } from '#contract/back-office/changes.ts'
import { FileIn } from '#contract/files.ts'
import { IsoTime } from '#contract/wire.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'

const Setting = z.object({
  key: z.string(),
  value: z.json(),
  /** 0 until the first change. */
  version: z.number(),
  changed_at: IsoTime.nullable(),
})
export type SettingOut = z.output<typeof Setting>

export const staffSettings = defineStaffCall({
  method: 'GET',
  path: '/admin/settings',
  may: 'settings.see',
  summary: 'Every setting of the site as it is in force, and the countries there are.',
  reply: z.object({
    settings: z.array(Setting),
    countries: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
  refusals: [],
})

export const staffSaveSettings = defineStaffCall({
  method: 'POST',
  path: '/admin/settings/save',
  may: 'settings.edit',
  summary: 'Changes settings, all of them or none. They apply at once, but for those that two people decide.',
  body: z.object({
    changes: z
      .array(z.object({ key: z.string().max(60), version: z.number().int(), value: z.json() }))
      .min(1)
      .max(50),
  }),
  reply: z.object({ saved: z.number(), pending: Pending }),
  refusals: ['setting_unknown', 'setting_invalid', 'changed_meanwhile', ...ASK_REFUSALS],
})

export const staffSitePicture = defineStaffCall({
  method: 'POST',
  path: '/admin/settings/picture',
  may: 'settings.edit',
  summary: 'Takes a picture for the site, such as its logo, and draws it anew. Answers its address.',
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z.object({ picture: FileIn }),
  reply: z.object({ address: z.string() }),
  refusals: ['file_too_large', 'file_type', 'file_unreadable', 'picture_too_large'],
})
