import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { FORM_REFUSALS } from '#contract/deposits.ts'
import { IdIn, IsoTime, LabelledValues, MoneyOut, OptionalText, PinIn } from '#contract/wire.ts'

const LeaveOut = z
  .object({
    requested_at: IsoTime,
    state: z.enum(['open', 'closed', 'refused', 'lifted']).meta({
      description:
        '`open`: payments wait, or open orders end first. `lifted`: staff ended the block before all was paid.',
    }),
    finished_at: IsoTime.nullable(),
    again_at: IsoTime.nullable().meta({ description: 'After a refusal: when the caller can ask again.' }),
  })
  .nullable()
export type LeaveOut = z.output<typeof LeaveOut>

export const leave = defineCall({
  method: 'GET',
  path: '/user/leave',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'What a blocked user can take out, and how far the newest leave is.',
  reply: z.object({
    available: MoneyOut,
    principal: MoneyOut.meta({
      description: 'Credited deposits less paid and pending withdrawals, at least 0. It needs no proof of identity.',
    }),
    leave: LeaveOut,
    code_to: z
      .string()
      .nullable()
      .meta({ description: 'The masked address of the code that the request needs. Null when it needs none.' }),
  }),
  refusals: [],
})

export const sendLeaveCode = defineCall({
  method: 'POST',
  path: '/user/leave/code',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'Sends the code that the leave of an account without a withdrawal PIN needs.',
  reply: z.object({ sent_to: z.string().nullable() }),
  refusals: ['leave_blocked_only', 'too_many_attempts'],
})

export const requestLeave = defineCall({
  method: 'POST',
  path: '/user/leave',
  who: 'user',
  key: 'never',
  leaving: true,
  summary:
    'Pays all available money to a user whom staff have blocked, less the charge of the method. Money of open orders follows when they end. The account is closed when nothing is left.',
  body: z.object({
    method_id: IdIn,
    fields: LabelledValues,
    withdrawal_code: PinIn.optional().meta({ description: 'The withdrawal PIN, if the account has one.' }),
    code: OptionalText(20).meta({ description: 'The code that was sent, if the account has no PIN.' }),
  }),
  reply: z.object({ leave: LeaveOut }),
  refusals: [
    'leave_blocked_only',
    'leave_refused',
    'leave_nothing',
    'withdrawals_closed',
    'withdrawals_paused',
    'confirmation_needed',
    'gateway_unknown',
    ...FORM_REFUSALS,
    'amount_invalid',
    'pin_missing',
    'pin_format',
    'pin_wrong',
    'pin_locked',
    'code_wrong',
    'too_many_attempts',
  ],
})
