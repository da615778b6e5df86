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
/** The input for `navigator.credentials`, as JSON. */
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
  summary: 'Second steps, open sessions and the latest sign-ins of the own account.',
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
  summary:
    'Proves again who one is, for ten minutes: with a second step, or with the password where there is none. Calls that need it answer `confirmation_needed`.',
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
  summary: 'What to give the browser to make a passkey (`add`) or to use one (`confirm`).',
  body: z.object({ use: z.enum(['add', 'confirm']) }),
  reply: PasskeyTask,
  refusals: ['confirmation_needed', 'passkeys_here_not', 'too_many_attempts'],
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys',
  who: 'user',
  summary: 'Keeps a passkey. The first second step brings recovery codes.',
  body: z.object({ ticket: Ticket, response: CreatedPasskey, name: z.string().trim().min(1).max(60) }),
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'passkey_wrong', 'ticket_over', 'too_many_passkeys'],
})

export const renamePasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys/:id/rename',
  who: 'user',
  summary: 'Gives a passkey another name.',
  params: z.object({ id: z.uuid() }),
  body: z.object({ name: z.string().trim().min(1).max(60) }),
  reply: z.object({}),
  refusals: ['not_found'],
})

export const removePasskey = defineCall({
  method: 'POST',
  path: '/user/security/passkeys/:id/remove',
  who: 'user',
  summary: 'Takes a passkey away. Withdrawals wait for a while afterwards.',
  params: z.object({ id: z.uuid() }),
  reply: z.object({}),
  refusals: ['not_found', 'confirmation_needed'],
})

export const beginAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator',
  who: 'user',
  summary: 'A secret for an authenticator app. It counts once a code of it has come.',
  reply: z.object({ secret: z.string(), uri: z.string() }),
  refusals: ['confirmation_needed', 'authenticator_on'],
})

export const turnOnAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator/on',
  who: 'user',
  summary: 'The first code of the app: from now on signing in takes one. The first second step brings recovery codes.',
  body: z.object({ code: Text(20) }),
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'second_code_wrong', 'authenticator_on', 'too_many_attempts'],
})

export const turnOffAuthenticator = defineCall({
  method: 'POST',
  path: '/user/security/authenticator/off',
  who: 'user',
  summary: 'No more codes of the app. Withdrawals wait for a while afterwards.',
  reply: z.object({}),
  refusals: ['confirmation_needed'],
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/user/security/recovery-codes',
  who: 'user',
  summary: 'New recovery codes; the old ones open nothing any more.',
  reply: z.object({ recovery_codes: RecoveryCodes }),
  refusals: ['confirmation_needed', 'second_step_missing'],
})

export const endSession = defineCall({
  method: 'POST',
  path: '/user/security/sessions/:id/end',
  who: 'user',
  summary: 'Ends one own session, with its sockets.',
  params: z.object({ id: z.string().max(64) }),
  reply: z.object({}),
  refusals: ['not_found'],
})

export const endOtherSessions = defineCall({
  method: 'POST',
  path: '/user/security/sessions/end-others',
  who: 'user',
  summary: 'Ends all own sessions but this one, with their sockets.',
  reply: z.object({ ended: z.number().int() }),
  refusals: [],
})

export const noticeSignIns = defineCall({
  method: 'POST',
  path: '/user/security/sign-ins/noticed',
  who: 'user',
  summary: 'The new devices were looked at.',
  reply: z.object({}),
  refusals: [],
})
