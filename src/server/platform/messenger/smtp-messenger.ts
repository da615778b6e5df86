import { createTransport } from 'nodemailer'
import type { Messenger } from '#server/platform/messenger/messenger.ts'

const TIMEOUT_MS = 10_000

/**
 * Sends mail through an SMTP server. It cannot reach phones: what goes to a number is left to `phones`.
 * `from` is the sender's address people see.
 */
export function createSmtpMessenger(options: { smtpUrl: string; from: string; phones: Messenger }): Messenger {
  const { smtpUrl, from, phones } = options
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  })
  return {
    usesOutbox: phones.usesOutbox,
    async send(letter) {
      if (!letter.to.includes('@')) return phones.send(letter)
      await transport.sendMail({ from, to: letter.to, subject: letter.subject, text: letter.text })
      return 'mail'
    },
  }
}
