import { isChosenTopic, NOTICE_KINDS } from '#core/accounts/notices.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findRecipient } from '#server/users/accounts/one-time-codes.queries.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { stopToken } from '#server/users/recovery/stop-token.ts'
import { unsubscribeToken } from '#server/users/notices/unsubscribe-token.ts'
import { factsOf, noticeText } from '#server/users/notices/notice-text.ts'
import {
  claimMails,
  type DueMail,
  endMail,
  type Notice,
  takeForPages,
  tellDue,
  tellSaleTerms,
} from '#server/users/notices/notices.queries.ts'
import { tellTerms } from '#server/users/terms-of-use/terms-of-use.queries.ts'

/** 500 users: one statement of some milliseconds, so that other notices do not wait. */
const USERS_PER_ROUND = 500

const HALF_MINUTE_MS = 30 * SECOND_MS

interface SendNoticesParts {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly settings: Settings
  /** The public address of this installation, for links. */
  readonly publicUrl: string | null
}

/** Sends notices to open pages and mailboxes each second, and writes notices about times twice a minute. */
export function sendNoticesPeriodically(parts: SendNoticesParts): () => Promise<void> {
  const { ctx } = parts
  const stops = [
    runPeriodically(ctx, {
      pauseMs: () => SECOND_MS,
      run: () => sendNotices(parts),
      failure: 'notices are not sent',
    }),
    runPeriodically(ctx, {
      pauseMs: () => HALF_MINUTE_MS,
      run: async () => {
        await tellDue(ctx.db, ctx.now())
        while ((await tellTerms(ctx.db, USERS_PER_ROUND)) === USERS_PER_ROUND);
        while ((await tellSaleTerms(ctx.db, USERS_PER_ROUND)) === USERS_PER_ROUND);
      },
      failure: 'notices about times are not written',
    }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/**
 * Sends what is due. A mail goes out twice only when the server stops between sending it and noting that; both copies have
 * the same Message-ID then.
 */
export async function sendNotices(parts: SendNoticesParts): Promise<void> {
  const { ctx } = parts
  for (const userId of await takeForPages(ctx.db)) ctx.publish({ kind: 'notice', userId })
  let mails: DueMail[]
  do {
    mails = await claimMails(ctx.db, ctx.now())
    await Promise.all(mails.map((mail) => deliver(parts, mail)))
  } while (mails.length > 0)
}

async function deliver(parts: SendNoticesParts, mail: DueMail): Promise<void> {
  const { ctx } = parts
  try {
    if (await send(parts, mail)) await endMail(ctx.db, mail.id)
    else if (mail.isLastTry) ctx.log.error({ kind: mail.kind }, 'a notice was given up: too many messages')
  } catch (error) {
    const failure = { kind: mail.kind, ...deliveryFailure(error) }
    if (mail.isLastTry) ctx.log.error(failure, 'a notice was given up')
    else ctx.log.warn(failure, 'a notice could not be sent, and is tried again')
  }
}

/** Sends one notice to its user. Returns false when the limit for messages to an address is reached. */
async function send({ ctx, messenger, settings, publicUrl }: SendNoticesParts, mail: DueMail): Promise<boolean> {
  const recipient = await findRecipient(ctx.db, mail.userId)
  if (recipient === null) return true
  const site = settings.current.siteName
  const { language } = recipient
  const { title, text } = noticeText(mail, { language, site })
  const stop = publicUrl === null ? null : unsubscribeLinks(ctx, mail, publicUrl)
  const isOfRecovery = mail.kind.startsWith('recovery_')
  const isOfAccount = mail.kind === 'sign_in' || mail.kind === 'security_changed' || isOfRecovery
  const kind = mail.kind === 'sign_in' ? 'new_device' : isOfAccount ? 'security' : 'notice'
  // Mails about the account have no link, except to stop a recovery: forged ones with links are the most common fraud.
  const letter = isOfAccount
    ? {
        subject: isOfRecovery ? `${site}: ${title}` : title,
        text: withStopLink(ctx, mail, { text, publicUrl, language }),
      }
    : {
        subject: `${site}: ${title}`,
        text: [
          title,
          text,
          publicUrl && `${publicUrl}/inbox`,
          stop && message('notice.stop_mails', language, { url: stop.page }),
        ]
          .filter(Boolean)
          .join('\n\n'),
        ...(stop && { unsubscribeUrl: stop.call }),
      }
  const post = (to: string, nth: number) => messenger.send({ id: `${mail.id}.${nth}`, to, kind, code: '', ...letter })
  // A lost contact often times out, so the messages to different contacts are sent in parallel.
  if (isOfRecovery) await sendToOthers(ctx, mail, { first: recipient.address, post })
  // Phones get messages about changes of the account only, because each costs money.
  const mayReach = recipient.address.includes('@') || mail.kind === 'security_changed' || isOfRecovery
  if (mayReach) {
    if (await isLimited(ctx, mail, recipient.address)) return false
    await post(recipient.address, 0)
  }
  // The user has the notice already, so a failure here does not repeat it.
  if (!isOfRecovery) await sendToOthers(ctx, mail, { first: recipient.address, post })
  return true
}

/** Sends a notice to the further addresses that it names. Failures are only logged. */
async function sendToOthers(
  ctx: Ctx,
  mail: DueMail,
  { first, post }: { readonly first: string; readonly post: (to: string, nth: number) => Promise<unknown> },
): Promise<void> {
  for (const [nth, address] of factsOf(mail).numbers.entries()) {
    if (address === first || (await isLimited(ctx, mail, address))) continue
    await post(address, nth + 1).catch((error: unknown) =>
      ctx.log.warn(deliveryFailure(error), 'a notice did not reach a further address'),
    )
  }
}

/** Adds the link that stops a recovery, for users who are not logged in anywhere. */
function withStopLink(
  ctx: Ctx,
  mail: Notice,
  {
    text,
    publicUrl,
    language,
  }: { readonly text: string; readonly publicUrl: string | null; readonly language: Language },
): string {
  if (mail.kind !== 'recovery_begun' || publicUrl === null) return text
  const url = `${publicUrl}/stop-recovery/${stopToken(ctx.vault, factsOf(mail).recovery)}`
  return `${text}\n\n${message('notice.stop_recovery', language, { url })}`
}

/** The page, and the call of mail programs, that turn off the mail of a notice's topic. Null for fixed topics. */
function unsubscribeLinks(
  ctx: Ctx,
  { kind, userId }: Notice,
  publicUrl: string,
): { page: string; call: string } | null {
  const topic = NOTICE_KINDS[kind]
  if (!isChosenTopic(topic)) return null
  const token = unsubscribeToken(ctx.vault, { userId, topic })
  return { page: `${publicUrl}/unsubscribe/${token}`, call: `${publicUrl}/api/notices/unsubscribe/${token}` }
}

/** Limits the messages that a thief's changes can cause. */
async function isLimited(ctx: Ctx, { kind }: Notice, to: string): Promise<boolean> {
  return (await consumeAttempt(ctx, { limit: 'message_recipient_hour', key: `${kind} ${to.toLowerCase()}` })) > 0
}
