import type { Config } from '#server/app/config/config.ts'
import type { Clock } from '#server/platform/context/context.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { createSmsMessenger } from '#server/platform/messenger/sms-messenger.ts'
import { createSmtpMessenger } from '#server/platform/messenger/smtp-messenger.ts'

/** Mail goes through SMTP and messages to phones through an SMS provider where they are set up; the rest to the outbox. */
export function createMessenger(
  { smtpUrl, publicUrl, sms }: Pick<Config, 'smtpUrl' | 'publicUrl' | 'sms'>,
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
