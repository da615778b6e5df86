import { pushTopic } from '#core/accounts/notices.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { noticeText } from '#server/users/notices/notice-text.ts'
import type { DuePush, MessageAddress } from '#server/users/push/push-deliveries.queries.ts'

/** Characters of a text. With four bytes each and its title, a message stays below the 3 KB that all push services accept. */
const MAX_TEXT = 500
const MAX_TITLE = 80

interface PushTextParts {
  readonly site: string
  /** The public address of this installation. Null: links are paths, which the worker of the app reads too. */
  readonly publicUrl: string | null
  readonly unread: number
}

/** The name of a message for push services and devices: a second copy replaces the first. At most 32 characters. */
export function pushTag([first]: readonly [DuePush, ...DuePush[]]): string {
  return first.noticeId.replaceAll('-', '')
}

/**
 * Writes the message about notices for a lock screen, without amounts, symbols and results unless the user wants them on this
 * device. Safari shows this declarative form by itself. In other browsers the worker of the app reads the message.
 */
export function pushMessage(pushes: readonly [DuePush, ...DuePush[]], parts: PushTextParts): string {
  const [push] = pushes
  const { language: code } = push.device
  const { title, text } = pushes.length > 1 ? several(parts, code) : textOf(push, parts)
  return write(pushes, parts, { title: cut(title, MAX_TITLE), body: cut(text, MAX_TEXT) })
}

/** The same with its title only, for a push service that refused the message as too long. */
export function shortPushMessage(pushes: readonly [DuePush, ...DuePush[]], parts: PushTextParts): string {
  return write(pushes, parts, { title: cut(parts.site, MAX_TITLE) })
}

function write(
  pushes: readonly [DuePush, ...DuePush[]],
  { publicUrl, unread }: PushTextParts,
  words: { readonly title: string; readonly body?: string },
): string {
  const [push] = pushes
  const path = pushes.length > 1 ? '/inbox' : `/n/${push.noticeId}`
  const { language } = push.device
  return writeMessage(words, { language, tag: pushTag(pushes), navigate: `${publicUrl ?? ''}${path}`, unread })
}

function writeMessage(
  words: { readonly title: string; readonly body?: string },
  {
    language,
    tag,
    navigate,
    unread,
  }: {
    readonly language: MessageAddress['language']
    readonly tag: string
    readonly navigate: string
    readonly unread: number
  },
): string {
  const { tag: lang, dir } = LANGUAGES[language]
  const notification = { ...words, lang, dir, tag, navigate, app_badge: String(unread) }
  return JSON.stringify({ web_push: 8030, notification })
}

/** Writes the message that a user sends to a device to try it. `tag` is its name, as for `pushTag`. */
export function testMessage(
  { language }: MessageAddress,
  { site, publicUrl, unread, tag }: PushTextParts & { readonly tag: string },
): string {
  const words = { title: cut(site, MAX_TITLE), body: message('notice.lock_test', language) }
  return writeMessage(words, { language, tag, navigate: `${publicUrl ?? ''}/inbox`, unread })
}

function several({ site }: PushTextParts, language: DuePush['device']['language']) {
  return { title: site, text: message('notice.lock_several', language) }
}

function textOf(push: DuePush, { site }: PushTextParts): { readonly title: string; readonly text: string } {
  const { amounts, language } = push.device
  if (amounts) return noticeText(push, { language, site })
  return { title: site, text: message(`notice.lock_${pushTopic(push.kind)}`, language) }
}

function cut(text: string, max: number): string {
  const letters = Array.from(text)
  return letters.length > max ? `${letters.slice(0, max - 1).join('')}…` : text
}
