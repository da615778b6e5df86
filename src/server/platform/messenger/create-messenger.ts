import type { Clock } from '#server/platform/runtime/ports.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { createSmsMessenger, type SmsConfig } from '#server/platform/messenger/sms-messenger.ts'
import { createSmtpMessenger } from '#server/platform/messenger/smtp-messenger.ts'

/** How messages are sent, and from which address. */
export interface MessengerConfig {
  /** The public address of this installation, without a trailing slash; undefined: the address it listens at. */
  readonly publicUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** The provider for messages to phones. */
  readonly sms: SmsConfig | undefined
}

/**
 * Sends mail through SMTP and phone messages through an SMS provider where configured. Other messages go to the outbox.
 */
export function createMessenger(
  { smtpUrl, publicUrl, sms }: MessengerConfig,
  { outbox, clock }: { readonly outbox: Messenger; readonly clock: Clock },
): Messenger {
  const phones = sms === undefined ? outbox : createSmsMessenger(sms, clock)
  if (smtpUrl !== undefined) {
    const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
    return createSmtpMessenger({ smtpUrl, from: `no-reply@${host}`, phones })
  }
  return {
    usesOutbox: true,
    send: (letter) => (letter.to.includes('@') ? outbox : phones).send(letter),
  }
}
