import { type ChosenTopic, isChosenTopic, NOTICE_TOPICS } from '#core/accounts/notices.ts'
import { isUuid } from '#core/ids/uuid.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const PLACE = 'unsubscribe'
/** Characters of a user's id, 16 bytes. The initial of the topic follows. */
const ID_LENGTH = 22

/** The mail of a topic to a user. */
export interface Subscription {
  readonly userId: string
  readonly topic: ChosenTopic
}

/** The part of a link that turns off the mail of a topic. The text is encrypted and reveals nothing. */
export function unsubscribeToken(vault: Pick<Vault, 'encrypt'>, { userId, topic }: Subscription): string {
  // Short, because a part of a path has at most 100 characters.
  const id = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  return vault.encrypt(`${id}${topic.charAt(0)}`, PLACE)
}

/** Reads a token; null when this installation did not make it. */
export function readUnsubscribeToken(vault: Pick<Vault, 'decrypt'>, token: string): Subscription | null {
  let text: string
  try {
    text = vault.decrypt(token, PLACE)
  } catch {
    return null
  }
  const hex = Buffer.from(text.slice(0, ID_LENGTH), 'base64url').toString('hex')
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const topic = NOTICE_TOPICS.find((one) => one.charAt(0) === text.slice(ID_LENGTH))
  return isUuid(userId) && topic !== undefined && isChosenTopic(topic) ? { userId, topic } : null
}
