import type { Ctx } from '#server/platform/context/context.ts'
import { UNPROVEN_SHARE } from '#server/platform/limits/limits.ts'
import { type Attempt, takeAttempts } from '#server/platform/limits/attempts.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import { VERIFY_ACCOUNT } from '#server/users/accounts/one-time-codes.queries.ts'

/** The digits of a number that its provider and region share: premium numbers come in such ranges. */
const PREFIX_DIGITS = 7

/** The counts of messages with a code to one recipient, whatever account they are for. `cause`: what they are sent for. */
export function recipientAttempts(cause: string, recipient: string): Attempt[] {
  const key = `${cause} ${recipient.toLowerCase()}`
  return [
    { limit: 'message_recipient_minute', key },
    { limit: 'message_recipient_hour', key },
  ]
}

/** A text message was not sent because too many were. `seconds`: how long to wait before the next one. */
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
 * Text messages cost money, and numbers of a fraud come in ranges: counted by range and in all, for all servers together.
 * Unproven numbers have counts of their own, so that sign-ups leave a share of the messages to owners of proven ones.
 * Beyond the limit `send` throws a `MessageLimitError`, and an error line names the limit for the operator.
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
      const wait = await takeAttempts(ctx, [
        { limit: 'sms_prefix', key: isUnproven ? `unproven ${prefix}` : prefix },
        ...(isUnproven
          ? [{ limit: 'sms_unproven', key: 'all', max: Math.ceil(smsPerDay * UNPROVEN_SHARE) } as const]
          : []),
        { limit: 'sms_total', key: 'all', max: smsPerDay },
      ])
      if (wait === 0) return messenger.send(letter)
      ctx.log.error(
        { prefix, seconds: wait, smsPerDay },
        'too many text messages: no more are sent for now; if users need them, raise FAIRWICK_SMS_PER_DAY',
      )
      throw new MessageLimitError(wait)
    },
  }
}
