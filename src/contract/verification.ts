import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { Text } from '#contract/wire.ts'

export const resendCode = defineCall({
  method: 'POST',
  path: '/user/email-verify',
  who: 'user',
  key: 'never',
  summary: 'Sends another verification code.',
  reply: z.object({
    sent_to: z.string().meta({ description: 'Masked address of the message.' }),
    channel: z.enum(['mail', 'sms', 'outbox']),
  }),
  refusals: ['already_verified', 'too_many_attempts'],
})

export const verifyCode = defineCall({
  method: 'POST',
  path: '/user/email-verify/verify',
  who: 'user',
  key: 'never',
  summary: 'Verifies the account with the code. All sessions end, so the user must log in again.',
  body: z.object({ code: Text(20) }),
  reply: z.object({}),
  refusals: ['code_wrong', 'already_verified', 'too_many_attempts'],
})
