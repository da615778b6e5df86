import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'

const State = z.enum(['open', 'off', 'coming', 'over', 'used_up'])

const AccessCodeRow = z.object({
  id: z.string(),
  code: z.string(),
  label: z.string(),
  state: State,
  uses: z.number(),
  /** The number of people who can sign up with the code. Null: any number. */
  max_uses: z.number().nullable(),
  from: IsoTime,
  until: IsoTime.nullable(),
  /** Country codes with blanks between them. Empty: all countries. */
  countries: z.string(),
  /** The sum of the deposits of all users who signed up with the code. */
  deposited: z.number(),
  created_by: z.string(),
  is_on: z.boolean(),
  version: z.number(),
})
export type AccessCodeRow = z.output<typeof AccessCodeRow>

export const staffAccessCodes = defineStaffList({
  path: '/admin/codes',
  may: 'users.see',
  summary: 'The access codes for sign-ups, newest first, with their uses.',
  filters: { search: SearchFilter, state: optionalFilter(z.enum(['open', 'off'])) },
  row: AccessCodeRow,
})

const Rules = z.object({
  label: z.string().trim().max(100),
  max_uses: z.number().int().min(1).max(1_000_000).nullable(),
  /** Null: the code is valid from now on. */
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)).max(250),
})

export const staffSaveAccessCode = defineStaffCall({
  method: 'POST',
  path: '/admin/codes/:id/save',
  may: 'users.manage',
  summary:
    'Stores an access code. Version 0 creates it once, under the id from the caller. The code itself never changes.',
  params: z.object({ id: z.uuid() }),
  body: Rules.extend({
    version: z.number().int().min(0),
    code: z.string().trim().max(40),
    is_on: z.boolean(),
  }),
  reply: z.object({ version: z.number() }),
  refusals: [
    'not_found',
    'changed_meanwhile',
    'access_code_form',
    'access_code_taken',
    'access_code_uses',
    'period_invalid',
    'country_unknown',
  ],
})

export const staffMakeAccessCodes = defineStaffCall({
  method: 'POST',
  path: '/admin/codes/make',
  may: 'users.manage',
  summary: 'Makes random access codes with the same rules, at most 500 at once.',
  body: Rules.extend({ count: z.number().int().min(1).max(500) }),
  reply: z.object({ codes: z.array(z.string()) }),
  refusals: ['period_invalid', 'country_unknown'],
})
