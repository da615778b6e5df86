import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, OptionalText, Text } from '#contract/wire.ts'

/** The browser's result of creating or using a passkey (WebAuthn, as JSON). The library that verifies it parses it. */
const CreatedPasskey = z.object({
  id: Text(1_024),
  rawId: Text(1_024),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Text(8_192),
    attestationObject: Text(32_768),
    transports: z.array(Text(20)).max(10).optional(),
  }),
})
export const PasskeyUsed = z.object({
  id: Text(1_024),
  rawId: Text(1_024),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Text(8_192),
    authenticatorData: Text(8_192),
    signature: Text(4_096),
    userHandle: Text(200).nullish(),
  }),
})
export type PasskeyUsed = z.output<typeof PasskeyUsed>

const Ticket = Text(100)
/** `options` is the input for `navigator.credentials`, as JSON. The client sends `ticket` back with the result. */
export const PasskeyTask = z.object({ ticket: z.string(), options: z.looseObject({ challenge: z.string() }) })
const RecoveryCodes = z
  .array(z.string())
  .meta({ description: 'Each replaces the second step once. The codes are shown only this time.' })

const PasskeyOut = z.object({ id: z.string(), name: z.string(), created_at: IsoTime, used_at: IsoTime.nullable() })
export type PasskeyOut = z.output<typeof PasskeyOut>

const SessionRow = z.object({
  id: z.string(),
  device: z.string().meta({ description: 'Browser and system, if known; otherwise empty.' }),
  address: z.string(),
  opened_at: IsoTime,
  seen_at: IsoTime,
  is_this: z.boolean(),
})
export type SessionRow = z.output<typeof SessionRow>

const SignInRow = z.object({
  id: z.string(),
  at: IsoTime,
  device: z.string(),
  address: z.string(),
  how: z.enum(['password', 'code', 'recovery', 'passkey']),
  went_in: z.boolean(),
  is_new_device: z.boolean(),
})
export type SignInRow = z.output<typeof SignInRow>

export const security = defineCall({
  method: 'GET',
  path: '/user/security',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: "The caller's second steps, open sessions and latest log-ins.",
  reply: z.object({
    authenticator: z.boolean(),
    passkeys: z.array(PasskeyOut),
    recovery_codes_left: z.number().int(),
    sessions: z.array(SessionRow),
    sign_ins: z.array(SignInRow),
    new_devices: z
      .array(SignInRow)
      .meta({ description: 'Log-ins from new devices that the user has not confirmed yet.' }),
    withdrawals_from: IsoTime.nullable().meta({
      description: 'Withdrawals are paused until then, after a security change.',
    }),
  }),
  refusals: [],
})

export const securityConfirm = defineCall({
  method: 'POST',
  path: '/user/security/confirm',
  who: 'user',
  key: 'never',
  leaving: true,
  summary:
    "Confirms the caller's identity for ten minutes: with a second step, or with the password if there is none. Calls that need a confirmation refuse with `confirmation_needed`.",
  body: z.object({
    password: OptionalText(200),
    code: OptionalText(40),
    passkey: z.object({ ticket: Ticket, response: PasskeyUsed }).optional(),
  }),
  reply: z.object({ confirmed_until: IsoTime }),
  refusals: ['confirmation_wrong', 'second_code_wrong', 'passkey_wrong', 'ticket_over', 'too_many_attempts'],
})

export const securityPasskeyTask = defineCall({
  method: 'POST',
  path: '/user/security/passkey/options',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'The input for the browser to create a passkey (`add`) or to use one (`confirm`).',
  body: z.object({ use: z.enum(['add', 'confirm']) }),
  reply: PasskeyTask,
  refusals: ['confirmation_needed', 'passkeys_here_not', 'too_many_attempts'],
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys',
  who: 'user',
  key: 'never',
  summary: 'Stores a passkey. With the first second step, the reply has recovery codes.',
  body: z.object({ ticket: Ticket, response: CreatedPasskey, name: z.string().trim().min(1).max(60) }),
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'passkey_wrong', 'ticket_over', 'too_many_passkeys'],
})

export const renamePasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys/:id/rename',
  who: 'user',
  key: 'never',
  summary: 'Renames a passkey.',
  params: z.object({ id: z.uuid() }),
  body: z.object({ name: z.string().trim().min(1).max(60) }),
  reply: z.object({}),
  refusals: ['not_found'],
})

export const removePasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys/:id/remove',
  who: 'user',
  key: 'never',
  summary: 'Removes a passkey. This pauses withdrawals.',
  params: z.object({ id: z.uuid() }),
  reply: z.object({}),
  refusals: ['not_found', 'confirmation_needed'],
})

export const beginAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator',
  who: 'user',
  key: 'never',
  summary: 'Creates a secret for an authenticator app. The app is turned on by its first code.',
  reply: z.object({ secret: z.string(), uri: z.string() }),
  refusals: ['confirmation_needed', 'authenticator_on'],
})

export const turnOnAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator/on',
  who: 'user',
  key: 'never',
  summary:
    'Turns the authenticator app on by its first code. Each log-in then needs a code. With the first second step, the reply has recovery codes.',
  body: z.object({ code: Text(20) }),
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'second_code_wrong', 'authenticator_on', 'too_many_attempts'],
})

export const turnOffAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator/off',
  who: 'user',
  key: 'never',
  summary: 'Turns the authenticator app off. This pauses withdrawals.',
  reply: z.object({}),
  refusals: ['confirmation_needed'],
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/user/security/recovery-codes',
  who: 'user',
  key: 'never',
  summary: 'Creates new recovery codes and invalidates the old ones.',
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'second_step_missing'],
})

export const endSession = defineCall({
  method: 'POST',
  path: '/user/security/sessions/:id/end',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: "Ends one of the caller's sessions with its sockets.",
  params: z.object({ id: z.string().max(64) }),
  reply: z.object({}),
  refusals: ['not_found'],
})

export const endOtherSessions = defineCall({
  method: 'POST',
  path: '/user/security/sessions/end-others',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: "Ends all of the caller's sessions except this one, with their sockets.",
  reply: z.object({ ended: z.number().int() }),
  refusals: [],
})

export const noticeSignIns = defineCall({
  method: 'POST',
  path: '/user/security/sign-ins/noticed',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'Confirms that the user has seen the log-ins from new devices.',
  reply: z.object({}),
  refusals: [],
})
