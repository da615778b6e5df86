import type { Ctx } from '#server/platform/context/context.ts'

/** How a message is sent. */
export type Channel = 'mail' | 'sms' | 'outbox'

export interface Letter {
  /** A mail address or a phone number. */
  readonly to: string
  readonly kind: string
  readonly subject: string
  readonly text: string
  /** The one-time code of the message, which the outbox page shows enlarged. */
  readonly code: string
  /**
   * Whether the recipient has proven that the address is the recipient's own. Without it, a text message counts towards
   * the messages to unproven numbers.
   */
  readonly isProven?: boolean
  /** Equal for every try to send the same message, so that a receiver recognises a second copy. */
  readonly id?: string
  /** The address to which a mail program may send a POST to end such mails (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** Sends messages to users' mailboxes and phones. */
export interface Messenger {
  /** Resolves when the message is handed over. Throws when that failed. */
  send(letter: Letter): Promise<Channel>
  /** Whether messages end in the outbox of this installation. */
  readonly usesOutbox: boolean
}

/** Stores messages in a table for the outbox page. For installations without mail and SMS. */
export function createOutboxMessenger(ctx: Ctx): Messenger {
  return {
    usesOutbox: true,
    async send({ to, kind, code, text }) {
      await ctx.db
        .insertInto('outbox_message')
        .values({ id: ctx.newId(), sent_to: to, kind, code, text, sent_ms: ctx.now() })
        .execute()
      return 'outbox'
    },
  }
}
