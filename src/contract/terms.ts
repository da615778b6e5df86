import { z } from 'zod'
import { defineCall } from '#contract/call.ts'

export const proofTerms = defineCall({
  method: 'GET',
  path: '/proof/terms',
  who: 'anyone',
  key: 'read',
  summary: 'All announced trade terms, newest first. Its ETag is the hash of the newest one.',
  query: z.object({
    before: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .meta({ description: 'The `next` of a reply: entries with a smaller number.' }),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  reply: z.object({
    entries: z.array(
      z.object({
        text: z.string().meta({ description: 'The entry as canonical JSON. It has the hash of the entry before.' }),
        hash: z.string().meta({
          description: 'SHA-256 of a zero byte and `text`, in hexadecimal. Also the leaf of the entry in the register.',
        }),
      }),
    ),
    next: z.number().int().nullable().meta({ description: 'Null when there are no older ones.' }),
  }),
  refusals: ['rate_limited'],
})
