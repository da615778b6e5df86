import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { OptionalText, Text } from '#contract/wire.ts'
import { LOST } from '#core/accounts/recovery.ts'

const Token = z.object({ token: Text(100) })

export const stopRecovery = defineCall({
  method: 'POST',
  path: '/user/recovery/stop',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: "Stops the recovery of the caller's account that staff confirmed.",
  reply: z.object({}),
  refusals: ['recovery_over'],
})

export const stopRecoveryByLink = defineCall({
  method: 'POST',
  path: '/recovery/stop/:token',
  who: 'anyone',
  key: 'never',
  summary: 'Stops a recovery, with the token of the link that all contacts of the user got.',
  params: Token,
  bodyIgnored: true,
  reply: z.object({}),
  refusals: ['recovery_over'],
})

export const recoveryLink = defineCall({
  method: 'GET',
  path: '/recovery/:token',
  who: 'anyone',
  key: 'never',
  summary: 'What the link of a recovery sets. Null for a link that is used, expired or stopped.',
  params: Token,
  reply: z.object({
    recovery: z.object({ username: z.string(), lost: z.array(z.enum(LOST)) }).nullable(),
  }),
  refusals: [],
})

export const finishRecovery = defineCall({
  method: 'POST',
  path: '/recovery/:token',
  who: 'anyone',
  key: 'never',
  summary:
    'Sets a new password and what else was lost, once. All sessions end, and withdrawals are paused for seven days.',
  params: Token,
  body: z.object({
    password: Text(200),
    password_confirmation: Text(200),
    withdrawal_code: OptionalText(20).meta({ description: 'The new withdrawal PIN, if the PIN was lost.' }),
    withdrawal_code_confirmation: OptionalText(20),
  }),
  reply: z.object({}),
  refusals: [
    'recovery_link_over',
    'password_length',
    'password_common',
    'password_mismatch',
    'pin_format',
    'pin_mismatch',
  ],
})
