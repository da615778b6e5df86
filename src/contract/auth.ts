import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { UserOut } from '#contract/profile.ts'
import { OptionalText, Text } from '#contract/wire.ts'

const SessionOut = z.object({ token: z.string(), user: UserOut, image_path: z.string() })

export const register = defineCall({
  method: 'POST',
  path: '/user/auth/register',
  who: 'anyone',
  summary: 'Open an account. A verification code goes to the e-mail when given, otherwise to the mobile.',
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
    'terms_required',
    'invitation_required',
    'invitation_wrong',
    'too_many_attempts',
  ],
})

export const login = defineCall({
  method: 'POST',
  path: '/user/auth/login',
  who: 'anyone',
  summary: 'Sign in. The answer is the same for a wrong name and a wrong password.',
  body: z.object({ username: Text(200), password: Text(200) }),
  reply: SessionOut,
  refusals: ['credentials_wrong', 'too_many_attempts'],
})

export const logout = defineCall({
  method: 'POST',
  path: '/user/auth/logout',
  who: 'user',
  summary: 'End this session: the token is dead at once.',
  reply: z.object({}),
  refusals: [],
})
