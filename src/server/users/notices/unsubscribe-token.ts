import { type ChosenTopic, isChosenTopic, NOTICE_TOPICS } from '#core/accounts/notices.ts'
import { isUuid } from '#core/ids/uuid.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

const PLACE = 'unsubscribe'
/** 22 characters of base64url hold the 16 bytes of a user's id. The first letter of the topic follows them. */
const ID_LENGTH = 22

/** The user and the topic whose mails a link turns off. */
export interface Subscription {
  readonly userId: string
  readonly topic: ChosenTopic
}

/**
 * Returns the token for a link that turns off the mails of a topic. The token is encrypted, so it reveals neither the
 * user nor the topic.
 */
export function unsubscribeToken(vault: Pick<Vault, 'encrypt'>, { userId, topic }: Subscription): string {
  // The id is shortened, because the router accepts at most 100 characters between two slashes of a path.
  const id = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  return vault.encrypt(`${id}${topic.charAt(0)}`, PLACE)
}

/** Returns the user and the topic of a token. Null when this installation did not make the token. */
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
