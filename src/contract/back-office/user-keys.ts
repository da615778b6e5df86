import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { KEY_SCOPES } from '#core/accounts/api-keys.ts'

const Id = z.object({ id: z.uuid() })

export const staffUserKeys = defineStaffCall({
  method: 'GET',
  path: '/admin/users/:id/keys',
  may: 'users.see',
  summary: "A user's keys for programs that are in force, newest first. No call of staff makes or reads one.",
  params: Id,
  reply: z.object({
    keys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        scope: z.enum(KEY_SCOPES),
        created_at: IsoTime,
        expires_at: IsoTime,
        used_at: IsoTime.nullable().meta({ description: 'The last use, to the minute.' }),
      }),
    ),
  }),
  refusals: ['not_found'],
})

export const staffEndUserKey = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/keys/:key/end',
  may: 'users.manage',
  summary: 'Ends a key of a user with its sockets. The user gets a notice and can make another one.',
  params: Id.extend({ key: z.string().regex(/^[0-9a-f]{16}$/) }),
  body: z.object({ reason: z.string().trim().max(500) }),
  reply: z.null(),
  refusals: ['not_found', 'reason_needed'],
})
