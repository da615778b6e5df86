import { calls } from '#contract/calls.ts'
import { type ChosenTopic, isChosenTopic, NOTICE_TOPICS, noticePath } from '#core/accounts/notices.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { readCursor, writeCursor } from '#server/platform/database/keyset-pagination.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { factsOf, noticeText } from '#server/users/notices/notice-text.ts'
import { countUnread } from '#server/users/accounts/unread-notices.queries.ts'
import {
  findMailChoices,
  listNotices,
  type MailChoice,
  markRead,
  type Notice,
  saveMailChoice,
} from '#server/users/notices/notices.queries.ts'
import { readUnsubscribeToken, type Subscription } from '#server/users/notices/unsubscribe-token.ts'

const PER_PAGE = 30

/** Registers the calls of the inbox: to list notices, to mark them as read, and to choose which are also mailed. */
export function noticesRoutes(register: Register, { ctx, settings }: { ctx: Ctx; settings: Settings }): void {
  const toReply = (notice: Notice, language: Language) => ({
    id: notice.id,
    kind: notice.kind,
    at: toIso(notice.at),
    read: notice.isRead,
    ...noticeText(notice, { language, site: settings.current.siteName }),
    link: noticePath(notice.kind, factsOf(notice).trx),
  })

  register(calls.notices, async ({ user: { userId }, query: { before = '', id }, language }) => {
    // The query asks for one notice more than the page shows, to know whether older notices exist. A forged cursor
    // finds no notices.
    const after = before === '' ? null : (readCursor(before) ?? [])
    const found = await listNotices(ctx.db, { userId, id }, { after, limit: PER_PAGE + 1 })
    const shown = found.slice(0, PER_PAGE)
    const last = found.length > PER_PAGE ? shown.at(-1) : undefined
    return answer({
      notices: shown.map((notice) => toReply(notice, language)),
      unread: await countUnread(ctx.db, userId),
      next: last === undefined ? null : writeCursor([last.seq]),
      newest: shown[0] === undefined ? null : writeCursor([shown[0].seq]),
    })
  })

  register(calls.readNotices, async ({ user: { userId }, body }) => {
    const [seq] = body.until === undefined ? [] : (readCursor(body.until) ?? [])
    const until = { until: typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : 0 }
    await markRead(ctx.db, userId, { which: body.ids ?? until, at: ctx.now() })
    return answer({ unread: await countUnread(ctx.db, userId) })
  })

  const topicsOf = async (userId: string) => {
    const choices = await findMailChoices(ctx.db, userId)
    return NOTICE_TOPICS.map((topic) => {
      if (!isChosenTopic(topic)) return { topic, mail: true, fixed: true, inbox: true }
      return { topic, fixed: false, ...(choices.get(topic) ?? usualChoice(topic)) }
    })
  }
  register(calls.noticeMail, async ({ user: { userId } }) => answer({ topics: await topicsOf(userId) }))
  register(calls.chooseNoticeMail, async ({ user: { userId }, body: { topic, mail, inbox } }) => {
    await saveMailChoice(ctx.db, { userId, topic, mail, inbox })
    return answer({ topics: await topicsOf(userId) })
  })

  const choiceOf = async ({ userId, topic }: Subscription) =>
    (await findMailChoices(ctx.db, userId)).get(topic) ?? usualChoice(topic)
  register(calls.unsubscribing, async ({ params: { token } }) => {
    const found = readUnsubscribeToken(ctx.vault, token)
    if (found === null) return answer({ topic: null, mail: false })
    return answer({ topic: found.topic, mail: (await choiceOf(found)).mail })
  })
  register(calls.unsubscribe, async ({ params: { token } }) => {
    const found = readUnsubscribeToken(ctx.vault, token)
    if (found === null) return refuse('not_found')
    await saveMailChoice(ctx.db, { ...found, ...(await choiceOf(found)), mail: false })
    return answer({ topic: found.topic, mail: false })
  })
}

/**
 * Returns the choice that the database assumes for a user who has not chosen: mail only about deposits and limits,
 * without limits that were reached.
 */
function usualChoice(topic: ChosenTopic): MailChoice {
  return { mail: topic === 'deposits' || topic === 'limits', inbox: true }
}
