import { maskAddress } from '#core/accounts/mask-address.ts'
import { CODE_LIFETIME_MS, makeCode } from '#core/accounts/one-time-code.ts'
import { type Result, refuse } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import { consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { type Asker, strangerAsker, userAsker } from '#server/platform/limits/fair-queue.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import { recipientAttempts, unlessLimited } from '#server/users/accounts/limit-messages.ts'
import type { Channel, Messenger } from '#server/platform/messenger/messenger.ts'
import { message } from '#server/platform/i18n/messages.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import {
  findRecipient,
  type Recipient,
  saveCode,
  VERIFY_ACCOUNT,
} from '#server/users/accounts/one-time-codes.queries.ts'

export interface SendCodeParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly settings: Settings
}

/** The user who requests a code, and the caller's address. */
export interface Requester {
  readonly userId: string
  readonly address: string
}

/** The channel and masked address that received a code. */
export interface SentCode {
  readonly channel: Channel
  readonly sentTo: string
}

/** Sends a new verification code at the user's request, at most one a minute and five an hour. */
export async function resendCode(
  parts: SendCodeParts,
  { userId, address }: Requester,
): Promise<Result<SentCode, 'already_verified' | 'too_many_attempts'>> {
  const { ctx } = parts
  const recipient = await findRecipient(ctx.db, userId)
  if (!recipient || recipient.toProve === null) return refuse('already_verified')
  const wait = await consumeAttempts(ctx, [
    { limit: 'verify_send_minute', key: userId },
    { limit: 'verify_send_hour', key: userId },
    ...recipientAttempts(VERIFY_ACCOUNT, recipient.toProve),
  ])
  if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
  const asker = codeAsker({ userId, address }, recipient)
  const to = { address: recipient.toProve, language: recipient.language, asker }
  return await unlessLimited(deliver(parts, userId, to))
}

/**
 * Chooses the queue for hashing. Unverified accounts share the queue of anonymous callers, because anyone can create
 * many such accounts.
 */
export function codeAsker({ userId, address }: Requester, { verified }: Pick<Recipient, 'verified'>): Asker {
  return verified ? userAsker(userId) : strangerAsker(address)
}

/**
 * Sends the first code of a new account. The account exists even when sending fails: its user can request another code.
 */
export function sendSignUpCode(parts: SendCodeParts, { userId, address }: Requester): Promise<void> {
  return sendOrLog(parts, userId, strangerAsker(address))
}

/**
 * Sends a code after staff removed a verification. When sending fails, the failure is only logged: the user can request
 * another code, as the screen explains.
 */
export function sendCodeByStaff(parts: SendCodeParts, userId: string): Promise<void> {
  return sendOrLog(parts, userId, userAsker(userId))
}

async function sendOrLog(parts: SendCodeParts, userId: string, asker: Asker): Promise<void> {
  const recipient = await findRecipient(parts.ctx.db, userId)
  if (!recipient || recipient.toProve === null) return
  // Limits messages to an address, because someone may sign up with the address of another person.
  if ((await consumeAttempts(parts.ctx, recipientAttempts(VERIFY_ACCOUNT, recipient.toProve))) > 0) return
  const to = { address: recipient.toProve, language: recipient.language, asker }
  await deliver(parts, userId, to).catch((error: unknown) => {
    parts.ctx.log.error({ ...deliveryFailure(error), userId }, 'cannot send a verification code')
  })
}

async function deliver(
  parts: SendCodeParts,
  userId: string,
  { address, language, asker }: Pick<Recipient, 'address' | 'language'> & { readonly asker: Asker },
): Promise<SentCode> {
  const { ctx, passwords, messenger, settings } = parts
  const code = makeCode((count) => ctx.randomBytes(count))
  const now = ctx.now()
  await saveCode(ctx.db, {
    id: ctx.newId(),
    userId,
    kind: VERIFY_ACCOUNT,
    // A slow hash: trying a million codes takes hours, even with a copy of the database, and a code is valid for
    // minutes.
    hash: await passwords.hash(code, asker),
    sentTo: address,
    createdAt: now,
    expiresAt: later(now, CODE_LIFETIME_MS),
  })
  const params = { code, site: settings.current.siteName }
  const channel = await messenger.send({
    to: address,
    kind: VERIFY_ACCOUNT,
    code,
    subject: message('mail.verification_subject', language, params),
    text: message('mail.verification_text', language, params),
  })
  return { channel, sentTo: maskAddress(address) }
}
