import { z } from 'zod'
import { defineCall } from '#contract/call.ts'

export const proofPeople = defineCall({
  method: 'GET',
  path: '/proof/people',
  who: 'anyone',
  key: 'read',
  summary: 'How many people decide here, who admitted them, and what they changed in 90 days. No names.',
  reply: z.object({
    approvers: z.number().int(),
    admitted_by_two: z.number().int(),
    admitted_by_one: z.number().int().meta({ description: 'Approvers whom one person alone admitted. It stays so.' }),
    single_operator: z
      .boolean()
      .meta({ description: 'One person decides here; nobody else has to agree. Decisions wait instead.' }),
    changes: z.record(z.string(), z.number().int()).meta({ description: 'Changes that came into force, by kind.' }),
    same_place: z.number().int().meta({ description: 'Decisions of two people from one address within an hour.' }),
    one_admitted_the_other: z.number().int().meta({ description: 'Decisions of two of whom one admitted the other.' }),
    one_operator: z.number().int().meta({ description: 'Decisions above the limit by one person, after a wait.' }),
  }),
  refusals: ['rate_limited'],
})

export const proofActs = defineCall({
  method: 'GET',
  path: '/proof/acts',
  who: 'anyone',
  key: 'read',
  summary: 'The past and future changes of the operator, newest first, as they are in the register.',
  query: z.object({
    before: z.coerce
      .number()
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'The `next` of a reply: entries with a smaller number.' }),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.object({
    acts: z.array(
      z.object({
        index: z.number().int().meta({ description: 'The number of the entry in the register.' }),
        text: z.string().meta({ description: 'The entry as canonical JSON.' }),
      }),
    ),
    next: z.number().int().nullable().meta({ description: 'Null when there are no older ones.' }),
  }),
  refusals: ['rate_limited'],
})
