import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { LOST, RECOVERY_STATES } from '#core/accounts/recovery.ts'

const RecoveryRow = z.object({
  id: z.string(),
  user_id: z.string(),
  username: z.string(),
  state: z.enum(RECOVERY_STATES),
  lost: z.array(z.enum(LOST)),
  /** The recipient of the recovery link: a new address in full, or the user's verified contact, masked. */
  link_to: z.string(),
  /**
   * Whether the link goes to an address that the account has not verified. Two independent people must confirm such an
   * address.
   */
  is_new_address: z.boolean(),
  words: z.string(),
  deposits: z.array(z.string()),
  content_hash: z.string(),
  asked_by: z.string(),
  asked_at: IsoTime,
  confirmed_by: z.string().nullable(),
  /** The earliest time at which the link can be sent. */
  opens_at: IsoTime.nullable(),
  /** Until when the newest recovery link works. Null without a link. */
  link_until: IsoTime.nullable(),
  ended_by: z.string(),
  ended_at: IsoTime.nullable(),
  /** Actions that the caller can take now. */
  may_confirm: z.boolean(),
  may_send: z.boolean(),
  may_stop: z.boolean(),
})
export type RecoveryRow = z.output<typeof RecoveryRow>

export const staffRecoveries = defineStaffList({
  path: '/admin/recoveries',
  may: 'recovery.see',
  summary: 'Recoveries of accounts, newest first.',
  filters: { state: optionalFilter(z.enum(['open', 'all'])) },
  row: RecoveryRow,
})

const Id = z.object({ id: z.uuid() })

export const staffAskRecovery = defineStaffCall({
  method: 'POST',
  path: '/admin/users/:id/recovery',
  may: 'recovery.ask',
  summary: 'Asks for the recovery of an account. Another person has to confirm it.',
  params: Id,
  body: z.object({
    lost: z.array(z.enum(LOST)).max(LOST.length),
    new_address: z.string().trim().max(200).meta({ description: 'Needed with lost contacts: an email address.' }),
    words: z.string().trim().max(1000).meta({ description: 'What shows that the user is the owner.' }),
    deposits: z.array(z.string().trim().max(40)).max(10).meta({ description: 'References that the user named.' }),
  }),
  reply: z.object({ id: z.string() }),
  refusals: [
    'not_found',
    'words_needed',
    'nothing_lost',
    'email_invalid',
    'recovery_address_needed',
    'recovery_deposit_unknown',
    'recovery_open',
  ],
})

export const staffConfirmRecovery = defineStaffCall({
  method: 'POST',
  path: '/admin/recoveries/:id/confirm',
  may: 'recovery.confirm',
  summary: 'Confirms a recovery as the second person. The user is told everywhere and can stop it until its time.',
  params: Id,
  body: z.object({ content_hash: z.string().max(100) }),
  reply: z.object({ opens_at: IsoTime }),
  refusals: [
    'not_found',
    'recovery_over',
    'content_changed',
    'asked_yourself',
    'not_approver',
    'not_independent',
    'second_person_needed',
  ],
})

export const staffSendRecoveryLink = defineStaffCall({
  method: 'POST',
  path: '/admin/recoveries/:id/link',
  may: 'recovery.ask',
  summary: 'Sends the link to the confirmed address, after the wait. It works for half an hour; earlier ones stop.',
  params: Id,
  reply: z.null(),
  refusals: ['not_found', 'recovery_over', 'recovery_waits', 'content_changed', 'too_many_attempts'],
})

export const staffStopRecovery = defineStaffCall({
  method: 'POST',
  path: '/admin/recoveries/:id/stop',
  may: 'recovery.see',
  summary: 'Stops a recovery that has not ended.',
  params: Id,
  body: z.object({ reason: z.string().trim().max(500) }),
  reply: z.null(),
  refusals: ['not_found', 'recovery_over', 'reason_needed'],
})
