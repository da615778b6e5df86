import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { Text } from '#contract/wire.ts'

export const forgetPassword = defineCall({
  method: 'POST',
  path: '/user/auth/forgetPassword',
  who: 'anyone',
  summary:
    'Ask for a code to set a new password. `value` is the e-mail or phone number of an account; the answer is the same whether or not there is one.',
  body: z.object({ value: Text(200) }),
  reply: z.object({}),
  refusals: ['too_many_attempts'],
})

export const checkResetCode = defineCall({
  method: 'POST',
  path: '/user/auth/verifyCode',
  who: 'anyone',
  summary:
    'Whether a code for a new password is right. It is not used up. `email` holds what the code was asked for with.',
  body: z.object({ email: Text(200), code: Text(20) }),
  reply: z.object({}),
  refusals: ['code_wrong', 'too_many_attempts'],
})

export const resetPassword = defineCall({
  method: 'POST',
  path: '/user/auth/resetPassword',
  who: 'anyone',
  summary: 'Set a new password with the code as `token`, which is used up. All sessions end.',
  body: z.object({ email: Text(200), password: Text(200), password_confirmation: Text(200), token: Text(20) }),
  reply: z.object({}),
  refusals: ['code_wrong', 'too_many_attempts', 'password_length', 'password_common', 'password_mismatch'],
})
