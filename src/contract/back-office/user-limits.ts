import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { BREAK_REFUSALS, LimitsOut } from '#contract/limits.ts'
import { IsoTime } from '#contract/wire.ts'
import { BreakOut } from '#contract/profile.ts'
import { BREAK_LENGTHS } from '#core/accounts/self-limits.ts'

const Id = z.object({ id: z.uuid() })
const { min, max } = BREAK_LENGTHS.exclusion

export const staffUserLimits = defineStaffCall({
  method: 'GET',
  path: '/admin/users/:id/limits',
  may: 'users.see',
  summary: 'The limits and the break that a user set. No call of staff changes them.',
  params: Id,
  reply: z.object({ limits: LimitsOut }),
  refusals: ['not_found'],
})

export const staffOpenRecord = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/kept-record',
  may: 'records.open',
  summary:
    'Opens what the law makes the operator keep of an erased account: identity, consents and payments. The reason is in the audit log.',
  params: Id,
  body: z.object({ reason: z.string().trim().max(500) }),
  reply: z.object({ text: z.string(), until: IsoTime }),
  refusals: ['not_found', 'reason_needed'],
})

export const staffExclude = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/exclude',
  may: 'users.exclude',
  summary: 'Enters an exclusion that the user asked for. It is as final as one that the user begins.',
  params: Id,
  body: z.object({
    months: z
      .number()
      .int()
      .meta({ description: `${min} to ${max}.` }),
    words: z.string().trim().max(500).meta({ description: 'How the user asked for it. The user reads this.' }),
  }),
  reply: z.object({ break: BreakOut }),
  refusals: ['not_found', 'words_needed', ...BREAK_REFUSALS],
})
