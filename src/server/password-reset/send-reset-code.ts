import { maskName } from '#core/accounts/username.ts'
import { CODE_LIFETIME_MS, makeCode } from '#core/accounts/one-time-code.ts'
import { readResetAddress, type ResetAddress } from '#core/accounts/reset-address.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { HOUR_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import { takeAttempt } from '#server/auth/attempts.ts'
import type { Passwords } from '#server/auth/passwords.ts'
import type { Ctx } from '#server/context.ts'
import { deliveryFailure } from '#server/mail/delivery-failure.ts'
import type { Messenger } from '#server/mail/messenger.ts'
import { message } from '#server/messages.ts'
import { findAccount, RESET_PASSWORD } from '#server/password-reset/password-reset.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findRecipient, saveCode } from '#server/verification/verification.queries.ts'

const ONE_A_MINUTE = { limit: 1, windowMs: MINUTE_MS, lockMs: MINUTE_MS }
const FIVE_AN_HOUR = { limit: 5, windowMs: HOUR_MS, lockMs: HOUR_MS }
/** Many people may be behind one network address. */
const BY_NETWORK = { limit: 60, windowMs: HOUR_MS, lockMs: HOUR_MS }

export interface ResetParts {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly settings: Settings
}

/** Sends codes for new passwords behind the backs of those who ask. */
export interface ResetCodes {
  send(value: string, from: { readonly address: string }): Promise<Result<undefined, 'too_many_attempts'>>
  /** Waits for what is being sent. */
  idle(): Promise<void>
}

/**
 * Whoever asks must not learn whether there is such an account: limits count by what was typed, the slow hash is made
 * for nobody too, and storing and sending go on after the answer, as a mail server takes its time.
 */
export function createResetCodes(parts: ResetParts): ResetCodes {
  const { ctx, passwords } = parts
  const sending = new Set<Promise<void>>()
  return {
    async send(value, from) {
      const address = readResetAddress(value)
      const key = attemptKey(address, value)
      const wait =
        (await takeAttempt(ctx, `reset:network:${from.address}`, BY_NETWORK)) ||
        (await takeAttempt(ctx, `reset:minute:${key}`, ONE_A_MINUTE)) ||
        (await takeAttempt(ctx, `reset:hour:${key}`, FIVE_AN_HOUR))
      if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
      const code = makeCode((count) => ctx.randomBytes(count))
      const hash = await passwords.hash(code)
      const job = deliver(parts, address, { code, hash })
        .catch((error: unknown) => ctx.log.error(deliveryFailure(error), 'a code for a new password could not be sent'))
        .finally(() => sending.delete(job))
      sending.add(job)
      return ok()
    },
    idle: async () => void (await Promise.all(sending)),
  }
}

/** The same for every way to write one address. What cannot be an address counts too. */
export function attemptKey(address: ResetAddress | null, value: string): string {
  if (address === null) return value.trim().toLowerCase()
  return address.kind === 'email' ? address.email : address.digits
}

async function deliver(
  { ctx, messenger, settings }: ResetParts,
  address: ResetAddress | null,
  { code, hash }: { code: string; hash: string },
): Promise<void> {
  const account = address === null ? null : await findAccount(ctx.db, address)
  const recipient = account === null ? null : await findRecipient(ctx.db, account.id)
  if (account === null || recipient === null) return
  // Mail address, number, number with its code: they are one account, whose owner is not to be flooded.
  if ((await takeAttempt(ctx, `reset:account:${account.id}`, FIVE_AN_HOUR)) > 0) return
  const now = ctx.now()
  await saveCode(ctx.db, {
    id: ctx.newId(),
    userId: account.id,
    kind: RESET_PASSWORD,
    hash,
    sentTo: recipient.address,
    createdAt: now,
    expiresAt: later(now, CODE_LIFETIME_MS),
  })
  const params = { code, site: settings.current.siteName, name: maskName(account.username) }
  await messenger.send({
    to: recipient.address,
    kind: RESET_PASSWORD,
    code,
    subject: message('mail.reset_subject', recipient.language, params),
    text: message('mail.reset_text', recipient.language, params),
  })
}
