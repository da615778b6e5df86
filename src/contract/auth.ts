import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { UserOut } from '#contract/profile.ts'
import { PasskeyTask, PasskeyUsed } from '#contract/security.ts'
import { OptionalText, Text } from '#contract/wire.ts'

const SessionOut = z.object({
  token: z.string(),
  user: UserOut,
  image_path: z.string(),
  device: z.string().meta({
    description:
      'Identifies this device. Send it with the next log-in, so that failed attempts from elsewhere do not lock this device out.',
  }),
})
/** The password was correct, and the account requires a second step. */
const SecondStepOut = z.object({
  second_step: z.object({
    ticket: z.string().meta({ description: 'Valid for one log-in, for five minutes.' }),
    ways: z.array(z.enum(['code', 'passkey', 'recovery'])),
  }),
})
const Device = OptionalText(100)

export const register = defineCall({
  method: 'POST',
  path: '/user/auth/register',
  who: 'anyone',
  key: 'never',
  summary:
    'Signs up a user. A verification code goes to the email address, or to the phone number if there is no email address.',
  body: z.object({
    username: Text(40),
    mobile: Text(40),
    password: Text(200),
    password_confirmation: Text(200),
    email: OptionalText(200),
    country_code: OptionalText(8),
    mobile_code: OptionalText(8),
    invitation_code: OptionalText(80),
    agree: z.union([z.boolean(), z.number(), z.string()]).nullish(),
    terms_version: z
      .number()
      .int()
      .nullish()
      .meta({ description: 'The version of the terms of use that was shown. Absent: the one in force.' }),
    age: z
      .boolean()
      .nullish()
      .meta({ description: 'Whether the user is as old as the country asks. Needed in live mode.' }),
    device: Device,
  }),
  reply: SessionOut,
  refusals: [
    'username_taken',
    'username_invalid',
    'mobile_invalid',
    'email_invalid',
    'country_unknown',
    'country_not_allowed',
    'password_mismatch',
    'password_length',
    'password_common',
    'terms_required',
    'terms_changed',
    'age_required',
    'invitation_required',
    'invitation_wrong',
    'too_many_attempts',
  ],
})

export const login = defineCall({
  method: 'POST',
  path: '/user/auth/login',
  who: 'anyone',
  key: 'never',
  summary: 'Logs a user in. A wrong name and a wrong password get the same reply.',
  body: z.object({ username: Text(200), password: Text(200), device: Device }),
  reply: z.union([SessionOut, SecondStepOut]),
  refusals: ['credentials_wrong', 'too_many_attempts'],
})

export const secondStep = defineCall({
  method: 'POST',
  path: '/user/auth/second-step',
  who: 'anyone',
  key: 'never',
  summary: 'The second step of a log-in: a code of the authenticator app, or a recovery code.',
  body: z.object({ ticket: Text(100), code: Text(40), device: Device }),
  reply: SessionOut,
  refusals: ['second_code_wrong', 'ticket_over', 'too_many_attempts'],
})

export const passkeyTask = defineCall({
  method: 'POST',
  path: '/user/auth/passkey/options',
  who: 'anyone',
  key: 'never',
  summary: 'The input for the browser to log in with a passkey: alone, or with a `ticket` as the second step.',
  body: z.object({ ticket: OptionalText(100), device: Device }),
  reply: PasskeyTask,
  refusals: ['ticket_over', 'passkeys_here_not', 'too_many_attempts'],
})

export const passkeySignIn = defineCall({
  method: 'POST',
  path: '/user/auth/passkey',
  who: 'anyone',
  key: 'never',
  summary: "Logs a user in with the browser's result for a passkey. It counts as both steps.",
  body: z.object({ ticket: Text(100), response: PasskeyUsed, device: Device }),
  reply: SessionOut,
  refusals: ['passkey_wrong', 'ticket_over', 'too_many_attempts'],
})

export const logout = defineCall({
  method: 'POST',
  path: '/user/auth/logout',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'Ends this session. Its token becomes invalid immediately.',
  reply: z.object({}),
  refusals: [],
})
