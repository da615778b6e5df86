import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'

const ExportOut = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'ready', 'failed']),
  asked_at: IsoTime,
  ready_at: IsoTime.nullable(),
  expires_at: IsoTime.nullable(),
  bytes: z
    .number()
    .int()
    .meta({ description: 'The size of the zip file. Until it is ready, that of the files so far.' }),
})
export type ExportOut = z.output<typeof ExportOut>

export const dataExport = defineCall({
  method: 'GET',
  path: '/user/data/export',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "The newest copy of the caller's own data, and when the next one can be requested.",
  reply: z.object({ export: ExportOut.nullable(), next_at: IsoTime.nullable() }),
  refusals: [],
})

export const requestDataExport = defineCall({
  method: 'POST',
  path: '/user/data/export',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "Requests a copy of the caller's own data, once in 24 hours. A notice tells when it is ready.",
  reply: z.object({ export: ExportOut }),
  refusals: ['confirmation_needed', 'export_lately'],
})

export const downloadDataExport = defineCall({
  method: 'GET',
  path: '/user/data/export/:id',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: 'The copy as a zip file, for seven days.',
  params: z.object({ id: z.uuid() }),
  file: 'application/zip',
  reply: z.null(),
  refusals: ['confirmation_needed', 'not_found', 'export_busy'],
})
