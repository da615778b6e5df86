import { createTransport } from 'nodemailer'
import type { Messenger } from '#server/platform/messenger/messenger.ts'

const TIMEOUT_MS = 10_000

/**
 * Sends mail through an SMTP server. Messages to phone numbers are passed to `phones`. `from` is the visible sender
 * address.
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
      const { id, to, subject, text, unsubscribeUrl } = letter
      const messageId = id === undefined ? {} : { messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>` }
      const headers = unsubscribeUrl === undefined ? {} : { headers: oneClick(unsubscribeUrl) }
      await transport.sendMail({ from, to, subject, text, ...messageId, ...headers })
      return 'mail'
    },
  }
}

/**
 * One click in the mail program ends the mails of this topic: RFC 8058. The library's option `list` sets only the first
 * of the two headers.
 */
function oneClick(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
