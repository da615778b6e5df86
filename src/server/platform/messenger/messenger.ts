import type { Ctx } from '#server/platform/context/context.ts'

/** How a message goes out. */
export type Channel = 'mail' | 'sms' | 'outbox'

export interface Letter {
  /** A mail address or a phone number. */
  readonly to: string
  readonly kind: string
  readonly subject: string
  readonly text: string
  /** The one-time code in it, for the outbox page to show large. */
  readonly code: string
}

/** The way to people's mailboxes and phones. */
export interface Messenger {
  /** Answers when the message is on its way. Throws when it could not be handed over. */
  send(letter: Letter): Promise<Channel>
  /** True when messages end in the outbox of this installation. */
  readonly usesOutbox: boolean
}

/** Keeps messages in a table, for the outbox page. For installations without mail and SMS. */
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
