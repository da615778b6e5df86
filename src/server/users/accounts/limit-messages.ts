import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { UNPROVEN_SHARE } from '#server/platform/limits/attempt-limit-table.ts'
import { type Attempt, consumeAttempts } from '#server/platform/limits/attempt-limits.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'

/**
 * 7 digits: a number range of one provider and region shares them. Fraudulent premium numbers often come from one such
 * range.
 */
const PREFIX_DIGITS = 7

/**
 * Returns the limits on messages with codes to one recipient, across all accounts. Each purpose of a message (`cause`)
 * has its own limits.
 */
export function recipientAttempts(cause: string, recipient: string): Attempt[] {
  const key = `${cause} ${recipient.toLowerCase()}`
  return [
    { limit: 'message_recipient_minute', key },
    { limit: 'message_recipient_hour', key },
  ]
}

/** Thrown when a text message exceeds a limit. After `seconds`, the next message is allowed. */
class MessageLimitError extends Error {
  override readonly name = 'MessageLimitError'
  readonly code = 'MESSAGE_LIMIT'
  readonly seconds: number

  constructor(seconds: number) {
    super('too many text messages')
    this.seconds = seconds
  }
}

/** Returns the result of sending a message, or a refusal with the wait when the message exceeds a limit. */
export async function unlessLimited<T>(sending: Promise<T>): Promise<Result<T, 'too_many_attempts'>> {
  try {
    return ok(await sending)
  } catch (error) {
    if (error instanceof MessageLimitError) return refuse('too_many_attempts', { params: { seconds: error.seconds } })
    throw error
  }
}

/**
 * Limits text messages (SMS), because they cost money. The limits apply across all servers: one for each number range,
 * because fraudulent numbers often share a range, and one in total. Messages to unproven numbers also have a separate
 * limit, so that sign-ups and changes of numbers cannot use up the messages for users with proven numbers. Over a limit,
 * `send` throws a `MessageLimitError` and logs an error with the daily limit.
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
      const isUnproven = letter.isProven !== true
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
