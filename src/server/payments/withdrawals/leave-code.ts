import { maskAddress } from '#core/accounts/mask-address.ts'
import { CODE_LIFETIME_MS, makeCode, readCode } from '#core/accounts/one-time-code.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { later } from '#core/time/instant.ts'
import type { Passwords } from '#server/platform/credentials/passwords.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { clearAttempts, consumeAttempt, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import { userAsker } from '#server/platform/limits/fair-queue.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { recipientAttempts, unlessLimited } from '#server/users/accounts/limit-messages.ts'
import { findCode, findProvenContact, saveCode, takeCode } from '#server/users/accounts/one-time-codes.queries.ts'

const LEAVE = 'leave'

export type LeaveCodeRefusal = 'code_wrong' | 'too_many_attempts'

/**
 * Sends and checks codes for the leave of a blocked user (the withdrawal of all money) whose account has no PIN. A
 * password alone must not be enough to take the money.
 */
export interface LeaveCodes {
  /**
   * Sends a code to the verified contact of a user. Returns the masked address, or null when the user has no verified
   * contact.
   */
  send(userId: string): Promise<Result<string | null, 'too_many_attempts'>>
  /** Checks a typed code. A right code works once. */
  use(userId: string, typed: string): Promise<Result<null, LeaveCodeRefusal>>
}

/** Creates the sender and checker of the codes. */
export function createLeaveCodes({
  ctx,
  passwords,
  messenger,
  settings,
}: {
  readonly ctx: Ctx
  readonly passwords: Passwords
  readonly messenger: Messenger
  readonly settings: Settings
}): LeaveCodes {
  return {
    async send(userId) {
      const contact = await findProvenContact(ctx.db, userId)
      if (contact === null) return ok(null)
      const { address, language } = contact
      const wait = await consumeAttempts(ctx, recipientAttempts(LEAVE, address))
      if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
      const code = makeCode((count) => ctx.randomBytes(count))
      const now = ctx.now()
      await saveCode(ctx.db, {
        id: ctx.newId(),
        userId,
        kind: LEAVE,
        hash: await passwords.hash(code, userAsker(userId)),
        sentTo: address,
        createdAt: now,
        expiresAt: later(now, CODE_LIFETIME_MS),
      })
      const params = { code, site: settings.current.siteName }
      const sending = messenger.send({
        to: address,
        kind: LEAVE,
        code,
        isProven: true,
        subject: message('mail.leave_subject', language, params),
        text: message('mail.leave_text', language, params),
      })
      const sent = await unlessLimited(sending)
      return sent.ok ? ok(maskAddress(address)) : sent
    },
    async use(userId, typed) {
      const tries = { limit: 'leave_code', key: userId } as const
      const wait = await consumeAttempt(ctx, tries)
      if (wait > 0) return refuse('too_many_attempts', { params: { seconds: wait } })
      const stored = await findCode(ctx.db, userId, LEAVE)
      const code = readCode(typed)
      const isRight =
        stored !== null &&
        code !== null &&
        ctx.now() < stored.expiresAt &&
        (await passwords.verify(stored.hash, code, userAsker(userId))) &&
        (await takeCode(ctx.db, { userId, kind: LEAVE, hash: stored.hash }))
      if (!isRight) return refuse('code_wrong')
      await clearAttempts(ctx, tries)
      return ok(null)
    },
  }
}
