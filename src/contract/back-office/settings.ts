import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { ASK_REFUSALS, Pending } from '#contract/back-office/changes.ts'
import { FileIn } from '#contract/files.ts'
import { IsoTime } from '#contract/wire.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'

const Setting = z.object({
  key: z.string(),
  value: z.json(),
  /** The number of changes of the setting. 0 until the first change. */
  version: z.number(),
  changed_at: IsoTime.nullable(),
})
export type SettingOut = z.output<typeof Setting>

/** Reasons to refuse a change of settings. */
export const SETTING_REFUSALS = [
  'setting_unknown',
  'setting_invalid',
  'changed_meanwhile',
  'reason_public',
  'until_needed',
  'closed_lately',
  ...ASK_REFUSALS,
] as const

export const staffSettings = defineStaffCall({
  method: 'GET',
  path: '/admin/settings',
  may: 'settings.see',
  summary: 'Every setting of the site with its current value, and all countries.',
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
  summary: 'Changes settings, all or none. They apply immediately, except for settings that two people decide.',
  body: z.object({
    changes: z
      .array(z.object({ key: z.string().max(60), version: z.number().int(), value: z.json() }))
      .min(1)
      .max(50),
  }),
  reply: z.object({ saved: z.number(), pending: Pending }),
  refusals: SETTING_REFUSALS,
})

export const staffSitePicture = defineStaffCall({
  method: 'POST',
  path: '/admin/settings/picture',
  may: 'settings.edit',
  summary: 'Uploads and re-encodes a picture of the site, such as its logo. Returns its address.',
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z.object({ picture: FileIn }),
  reply: z.object({ address: z.string() }),
  refusals: ['file_too_large', 'file_type', 'file_unreadable', 'picture_too_large'],
})
