import { isChosenTopic, NOTICE_KINDS } from '#core/accounts/notices.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { consumeAttempt } from '#server/platform/limits/attempt-limits.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Letter, Messenger } from '#server/platform/messenger/messenger.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { findRecipient, type Recipient } from '#server/users/accounts/one-time-codes.queries.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import { stopToken } from '#server/users/recovery/stop-token.ts'
import { unsubscribeToken } from '#server/users/notices/unsubscribe-token.ts'
import { factsOf, noticeText } from '#server/users/notices/notice-text.ts'
import {
  claimMails,
  type DueMail,
  endMail,
  type Notice,
  noteTold,
  takeForPages,
  tellDue,
  tellSaleTerms,
} from '#server/users/notices/notices.queries.ts'
import { tellTerms } from '#server/users/terms-of-use/terms-of-use.queries.ts'

/** 500 users get a notice in one statement of some milliseconds, so that other notices do not wait. */
const USERS_PER_ROUND = 500

const HALF_MINUTE_MS = 30 * SECOND_MS

interface SendNoticesParts {
  readonly ctx: Ctx
  readonly messenger: Messenger
  readonly settings: Settings
  /** The public address of this installation, for links. */
  readonly publicUrl: string | null
}

/**
 * Sends notices to open pages and mailboxes each second. Twice a minute, writes the notices that are due because time
 * has passed or terms have changed. Returns a function that stops both jobs.
 */
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
 * Sends the notices that are due. A mail can go out twice only if the server stops after it sent the mail and before it
 * stored that. Both copies then have the same Message-ID.
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

/**
 * Sends one notice to the contacts that do not have it, to all at the same time. Each contact is tried again until it
 * has the notice, whatever happens at the others: the user has perhaps lost the main contact, sending to it can fail at
 * each try, and a thief can use up its messages.
 */
async function deliver(parts: SendNoticesParts, mail: DueMail): Promise<void> {
  const { ctx } = parts
  try {
    const recipient = await findRecipient(ctx.db, mail.userId)
    if (recipient !== null) {
      const letter = letterOf(parts, mail, recipient)
      const missing = contactsWithout(mail, recipient.address)
      const reached = await Promise.all(missing.map((contact) => reach(parts, mail, { contact, letter })))
      if (!reached.every(Boolean)) return
    }
    await endMail(ctx.db, mail.id)
  } catch (error) {
    logFailure(ctx, mail, error)
  }
}

/** A contact of a notice. */
interface Contact {
  readonly address: string
  /** Where the notice names the address: 0 for the main contact, 1 for the first of its further contacts. */
  readonly places: readonly [number, ...number[]]
}

/** Lists the contacts that do not have a notice yet, each address once. */
function contactsWithout(mail: DueMail, first: string): Contact[] {
  // Phone numbers only get messages about security changes and recoveries, because each message costs money.
  const mayReach = first.includes('@') || mail.kind === 'security_changed' || isOfRecovery(mail)
  const contacts = new Map<string, Contact>()
  for (const [place, address] of [mayReach ? first : '', ...factsOf(mail).numbers].entries()) {
    if (address === '' || mail.reachedContacts.includes(place)) continue
    contacts.set(address, {
      address,
      places: [...(contacts.get(address)?.places ?? []), place] as [number, ...number[]],
    })
  }
  return [...contacts.values()]
}

/** Sends one notice to one contact. Returns whether the contact now has the notice. Failures are only logged. */
async function reach(
  { ctx, messenger }: SendNoticesParts,
  mail: DueMail,
  { contact: { address, places }, letter }: { readonly contact: Contact; readonly letter: NoticeLetter },
): Promise<boolean> {
  const { proven, ...content } = letter
  try {
    if (await isLimited(ctx, mail, address)) {
      if (mail.isLastTry) ctx.log.error({ kind: mail.kind }, 'a notice was given up: too many messages')
      return false
    }
    // A user can name any number as the new one. A recovery is begun by staff, so its messages cannot be used to flood.
    const isProven = isOfRecovery(mail) || proven.includes(address)
    await messenger.send({ id: `${mail.id}.${places[0]}`, to: address, code: '', isProven, ...content })
    await noteTold(ctx.db, mail.id, places)
    return true
  } catch (error) {
    logFailure(ctx, mail, error)
    return false
  }
}

function logFailure(ctx: Ctx, mail: DueMail, error: unknown): void {
  const failure = { kind: mail.kind, ...deliveryFailure(error) }
  if (mail.isLastTry) ctx.log.error(failure, 'a notice was given up')
  else ctx.log.warn(failure, 'a notice could not be sent, and is tried again')
}

function isOfRecovery({ kind }: Notice): boolean {
  return kind.startsWith('recovery_')
}

/** The content of a notice, for all its contacts. */
interface NoticeLetter extends Pick<Letter, 'kind' | 'subject' | 'text' | 'unsubscribeUrl'> {
  /** The phone numbers that the user has proven, or had proven before the change. */
  readonly proven: readonly (string | null | undefined)[]
}

function letterOf({ ctx, settings, publicUrl }: SendNoticesParts, mail: Notice, recipient: Recipient): NoticeLetter {
  const site = settings.current.siteName
  const { language } = recipient
  const { title, text } = noticeText(mail, { language, site })
  const isOfAccount = mail.kind === 'sign_in' || mail.kind === 'security_changed' || isOfRecovery(mail)
  const kind = mail.kind === 'sign_in' ? 'new_device' : isOfAccount ? 'security' : 'notice'
  const proven = [recipient.provenMobile, factsOf(mail).proven]
  // Mails about the account have no link, except to stop a recovery, because forged mails with links are the most
  // common fraud.
  if (isOfAccount) {
    const subject = isOfRecovery(mail) ? `${site}: ${title}` : title
    return { kind, proven, subject, text: withStopLink(ctx, mail, { text, publicUrl, language }) }
  }
  const stop = publicUrl === null ? null : unsubscribeLinks(ctx, mail, publicUrl)
  const lines = [
    title,
    text,
    publicUrl && `${publicUrl}/inbox`,
    stop && message('notice.stop_mails', language, { url: stop.page }),
  ]
  return {
    kind,
    proven,
    subject: `${site}: ${title}`,
    text: lines.filter(Boolean).join('\n\n'),
    ...(stop && { unsubscribeUrl: stop.call }),
  }
}

/** Adds the link that stops a recovery to the notice about its begin, for users who are not logged in anywhere. */
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

/**
 * Returns the links that turn off mails about the notice's topic: a page for users and an API call for mail programs.
 * Null when mails about the topic cannot be turned off.
 */
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

/**
 * Counts a message, and returns whether the hourly limit of this kind of notice to this address is reached. A thief who
 * changes settings again and again can cause only so many messages.
 */
async function isLimited(ctx: Ctx, { kind }: Notice, to: string): Promise<boolean> {
  return (await consumeAttempt(ctx, { limit: 'message_recipient_hour', key: `${kind} ${to.toLowerCase()}` })) > 0
}
