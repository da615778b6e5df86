import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'

const Count = z.number().int().nonnegative()

export const proofAudit = defineCall({
  method: 'GET',
  path: '/proof/audit',
  who: 'anyone',
  key: 'read',
  summary:
    'Decided prices of the last 90 days that were compared again with the public records of their sources: one of a hundred, chosen by the hash of the log at the decision.',
  reply: z.object({
    audit: z.object({
      since: IsoTime,
      chosen: Count,
      compared: Count,
      equal: Count,
      different: Count.meta({ description: 'A difference that the record repeats a day later is made good.' }),
    }),
  }),
  refusals: [],
})
