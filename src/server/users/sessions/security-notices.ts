import { deviceName } from '#core/accounts/device-name.ts'
import { minuteText } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findRecipient } from '#server/users/accounts/one-time-codes.queries.ts'

/** The security changes that a user is notified of. */
export type SecurityNotice =
  | 'password'
  | 'authenticator_on'
  | 'authenticator_off'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_used'
  | 'recovery_renewed'
  | 'username'
  | 'mobile'
  | 'pin'
  | 'payment_details'
  | 'adjustment'

export interface SecurityNoticesParts {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly settings: Settings
}

interface Notice {
  readonly kind: 'security' | 'new_device'
  readonly write: (language: Language) => { readonly subject: string; readonly text: string }
  /** Phone numbers that are notified in addition to the user's own. */
  readonly numbers?: readonly string[]
}

/** Notifies users of security changes, by email, or by text message when there is no email address. */
export class SecurityNotices {
  readonly #parts: SecurityNoticesParts
  readonly #sending = new Set<Promise<void>>()

  constructor(parts: SecurityNoticesParts) {
    this.#parts = parts
  }

  notifyChange(userId: string, what: SecurityNotice, numbers: readonly string[] = []): void {
    const { ctx, settings } = this.#parts
    const time = minuteText(ctx.now())
    const write: Notice['write'] = (language) => {
      const params = { site: settings.current.siteName, what: message(`notice.${what}`, language), time }
      return {
        subject: message('mail.security_subject', language, params),
        text: message('mail.security_text', language, params),
      }
    }
    this.#send(userId, { kind: 'security', write, numbers })
  }

  notifyNewDevice(userId: string, { userAgent, address }: Device): void {
    const { ctx, settings } = this.#parts
    const device = deviceName(userAgent)
    ctx.publish({ kind: 'new-device', userId, device })
    const params = { site: settings.current.siteName, device: device || '?', address, time: minuteText(ctx.now()) }
    const write: Notice['write'] = (language) => ({
      subject: message('mail.new_device_subject', language, params),
      text: message('mail.new_device_text', language, params),
    })
    this.#send(userId, { kind: 'new_device', write })
  }

  /** Resolves when all pending messages are sent. */
  async idle(): Promise<void> {
    await Promise.all(this.#sending)
  }

  /** Sends in the background, because a mail server may be slow. */
  #send(userId: string, notice: Notice): void {
    const job = this.#deliver(userId, notice)
      .catch((error: unknown) => this.#parts.ctx.log.error(deliveryFailure(error), 'cannot send a security notice'))
      .finally(() => this.#sending.delete(job))
    this.#sending.add(job)
  }

  async #deliver(userId: string, { kind, write, numbers = [] }: Notice): Promise<void> {
    const { ctx, messenger } = this.#parts
    const recipient = await findRecipient(ctx.db, userId)
    if (recipient === null) return
    for (const to of new Set([recipient.address, ...numbers])) {
      // The app also reports new devices, so a text message is not worth its cost.
      if (kind === 'new_device' && !to.includes('@')) continue
      // Limits the messages that a thief's changes can cause.
      const wait = await consumeAttempt(ctx, { limit: 'message_recipient_hour', key: `${kind} ${to.toLowerCase()}` })
      if (wait === 0) await messenger.send({ to, kind, code: '', ...write(recipient.language) })
    }
  }
}
