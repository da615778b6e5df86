import type { Ctx } from '#server/platform/context/context.ts'
import { UNPROVEN_SHARE } from '#server/platform/limits/attempt-limit-table.ts'
import { type Attempt, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { VERIFY_ACCOUNT } from '#server/users/accounts/one-time-codes.queries.ts'

/** The leading digits that numbers of one provider and region share. Premium numbers come in such ranges. */
const PREFIX_DIGITS = 7

/** Returns the limits on code messages to one recipient, across all accounts. `cause`: the purpose of the message. */
export function recipientAttempts(cause: string, recipient: string): Attempt[] {
  const key = `${cause} ${recipient.toLowerCase()}`
  return [
    { limit: 'message_recipient_minute', key },
    { limit: 'message_recipient_hour', key },
  ]
}

/** Thrown when a text message exceeds a limit. `seconds`: the wait until the next message is allowed. */
export class MessageLimitError extends Error {
  override readonly name = 'MessageLimitError'
  readonly code = 'MESSAGE_LIMIT'
  readonly seconds: number

  constructor(seconds: number) {
    super('too many text messages')
    this.seconds = seconds
  }
}

/**
 * Limits text messages, because they cost money. Limits apply per number range and in total, across all servers:
 * fraudulent numbers often share a range.
 * Unproven numbers also have a limit of their own, so that sign-ups leave messages for the owners of proven numbers.
 * Over a limit, `send` throws a `MessageLimitError` and logs an error that names the limit.
 */
export function limitMessages(
  ctx: Ctx,
  messenger: Messenger,
  { smsPerDay }: { readonly smsPerDay: number },
): Messenger {
  return {
    usesOutbox: messenger.usesOutbox,
    async send(letter) {
      if (letter.to.includes('@')) return messenger.send(letter)
      const prefix = letter.to.replace(/\D/g, '').slice(0, PREFIX_DIGITS)
      const isUnproven = letter.kind === VERIFY_ACCOUNT
      const wait = await consumeAttempts(ctx, [
        { limit: 'sms_prefix', key: isUnproven ? `unproven ${prefix}` : prefix },
        ...(isUnproven
          ? [{ limit: 'sms_unproven', key: 'all', max: Math.ceil(smsPerDay * UNPROVEN_SHARE) } as const]
          : []),
        { limit: 'sms_total', key: 'all', max: smsPerDay },
      ])
      if (wait === 0) return messenger.send(letter)
      ctx.log.error(
        { prefix, seconds: wait, smsPerDay },
        'too many text messages: sending is paused; if users need more, raise FAIRWICK_SMS_PER_DAY',
      )
      throw new MessageLimitError(wait)
    },
  }
}
