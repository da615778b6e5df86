import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { OptionalText, Text } from '#contract/wire.ts'

const Device = OptionalText(100)
const Email = OptionalText(200).meta({
  description: 'The address for which the code was requested. Not needed with the long code of a link.',
})
const Request = OptionalText(100).meta({
  description: 'The secret from the reply of `forgetPassword`. Attempts with it are counted separately from others.',
})

export const forgetPassword = defineCall({
  method: 'POST',
  path: '/user/auth/forgetPassword',
  who: 'anyone',
  key: 'never',
  summary:
    'Requests a code to set a new password. `value` is the email address or phone number of an account. The reply is the same when no such account exists.',
  body: z.object({ value: Text(200), device: Device }),
  reply: z.object({
    request: z.string().meta({ description: 'Identifies this browser. Send it with the code.' }),
  }),
  refusals: ['too_many_attempts'],
})

export const checkResetCode = defineCall({
  method: 'POST',
  path: '/user/auth/verifyCode',
  who: 'anyone',
  key: 'never',
  summary: 'Checks a code for a new password, without using it up. `email` holds the address or number of the request.',
  body: z.object({ email: Email, code: Text(100), request: Request, device: Device }),
  reply: z.object({
    accounts: z
      .array(z.string())
      .meta({ description: 'Usernames of the accounts that verified this address, newest first.' }),
  }),
  refusals: ['code_wrong', 'field_required', 'too_many_attempts'],
})

export const resetPassword = defineCall({
  method: 'POST',
  path: '/user/auth/resetPassword',
  who: 'anyone',
  key: 'never',
  summary: 'Sets a new password with the code as `token`, and uses the code up. All sessions end.',
  body: z.object({
    email: Email,
    password: Text(200),
    password_confirmation: Text(200),
    token: Text(100),
    username: OptionalText(200).meta({ description: 'The account to change. Default: the newest.' }),
    request: Request,
    device: Device,
  }),
  reply: z.object({
    device: z.string().meta({ description: 'Identifies this device. Send it with the next log-in.' }),
  }),
  refusals: [
    'code_wrong',
    'field_required',
    'account_not_offered',
    'too_many_attempts',
    'password_length',
    'password_common',
    'password_mismatch',
  ],
})
