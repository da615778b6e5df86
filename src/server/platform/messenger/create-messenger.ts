import type { Clock } from '#server/platform/runtime/ports.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { createSmsMessenger, type SmsConfig } from '#server/platform/messenger/sms-messenger.ts'
import { createSmtpMessenger } from '#server/platform/messenger/smtp-messenger.ts'

/** How messages leave the site, and from which address. */
export interface MessengerConfig {
  /** Where users reach this installation, without a slash at the end; undefined: wherever it listens. */
  readonly publicUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** The provider that sends messages to phones. */
  readonly sms: SmsConfig | undefined
}

/** Mail goes through SMTP and messages to phones through an SMS provider where they are set up; the rest to the outbox. */
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
