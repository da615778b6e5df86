import { pushTopic } from '#core/accounts/notices.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { message } from '#server/platform/i18n/messages.ts'
import { noticeText } from '#server/users/notices/notice-text.ts'
import type { DuePush, MessageAddress } from '#server/users/push/push-deliveries.queries.ts'

/**
 * 500 characters: even if each takes four bytes, the message with its title stays below the 3 KB that all push services
 * accept.
 */
const MAX_TEXT = 500
const MAX_TITLE = 80

interface PushTextParts {
  readonly site: string
  /**
   * The public address of this installation. If null, links are paths, which the service worker of the app understands
   * too.
   */
  readonly publicUrl: string | null
  readonly unread: number
}

/**
 * Returns the name of a message for push services and devices, which replace an earlier message of the same name. At
 * most 32 characters.
 */
export function pushTag([first]: readonly [DuePush, ...DuePush[]]): string {
  return first.noticeId.replaceAll('-', '')
}

/**
 * Writes the message about notices for a lock screen, without amounts, symbols and results unless the user wants them
 * on this device. Safari shows this declarative format (`web_push: 8030`) by itself. In other browsers, the service
 * worker of the app shows it.
 */
export function pushMessage(pushes: readonly [DuePush, ...DuePush[]], parts: PushTextParts): string {
  const [push] = pushes
  const { language: code } = push.device
  const { title, text } = pushes.length > 1 ? several(parts, code) : textOf(push, parts)
  return write(pushes, parts, { title: cut(title, MAX_TITLE), body: cut(text, MAX_TEXT) })
}

/** Writes the message with the name of the site only, for a push service that refused the full message as too long. */
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

/** Writes the message with which a user tries a device. `tag` is the name of the message: see `pushTag`. */
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
