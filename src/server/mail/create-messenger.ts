import type { Config } from '#server/config.ts'
import type { Ctx } from '#server/context.ts'
import { createOutboxMessenger, type Messenger } from '#server/mail/messenger.ts'
import { createSmtpMessenger } from '#server/mail/smtp-messenger.ts'

/** Mail goes through SMTP when that is configured; everything else ends in the outbox. */
export function createMessenger({ smtpUrl, publicUrl }: Pick<Config, 'smtpUrl' | 'publicUrl'>, ctx: Ctx): Messenger {
  const outbox = createOutboxMessenger(ctx)
  if (smtpUrl === undefined) return outbox
  const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
  return createSmtpMessenger({ smtpUrl, from: `no-reply@${host}`, phones: outbox })
}
