import { DAY_MS } from '#core/time/instant.ts'

/** The scopes of API keys. `trade` includes `read`. */
export const KEY_SCOPES = ['read', 'trade'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** The scope that a call needs. `never`: no key may make the call. */
export type KeyUse = KeyScope | 'never'

/** The lifetimes that a user can choose for a key, in days. */
export const KEY_DAYS = [7, 30, 90, 365] as const
export const DEFAULT_KEY_DAYS = 90
/** Maximum number of keys of a user that are in force at the same time. */
export const MAX_KEYS = 10
export const MAX_KEY_NAME = 40
export const MAX_KEY_ADDRESSES = 10
/** The highest value that a user can set as the limit of a key's open orders. */
const MAX_KEY_OPEN_ORDERS = 1_000_000
export function isKeyOpenOrders(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MAX_KEY_OPEN_ORDERS
}
/** Maximum number of open sockets of a key on one server. */
export const MAX_KEY_SOCKETS = 5
/** Maximum number of unanswered orders on all sockets of a key on one server. */
export const MAX_KEY_MESSAGES = 64
/** The number of uses from foreign addresses within `FOREIGN_WINDOW_MS` that revokes a key. */
export const MAX_FOREIGN_USES = 5
/** 1 hour. */
export const FOREIGN_WINDOW_MS = DAY_MS / 24

/** The rate limits (token buckets) of a key, for each scope, on each server. */
export const KEY_LIMITS = {
  read: { perSecond: 20, burst: 60 },
  trade: { perSecond: 5, burst: 10 },
} as const satisfies Record<KeyScope, { readonly perSecond: number; readonly burst: number }>

/** Why a key was revoked before its expiry. */
export const KEY_ENDS = [
  'owner',
  'staff',
  'password',
  'blocked',
  'excluded',
  'left',
  'second_step',
  'foreign',
  'shown',
  'restored',
] as const
export type KeyEnd = (typeof KEY_ENDS)[number]

/** `fwk_`, 16 characters of the id, and 32 random bytes in base64url. */
const KEY = /^fwk_([0-9a-f]{16})_([\w-]{43})$/
const KEY_IN_TEXT = /fwk_[0-9a-f]{16}_[\w-]{43}/

export interface ApiKeyText {
  readonly id: string
  readonly secret: string
}

/** Formats a key as the text that its user stores. */
export function formatApiKey({ id, secret }: ApiKeyText): string {
  return `fwk_${id}_${secret}`
}

/** Parses a key. Returns null when the text is not a key. */
export function parseApiKey(text: string): ApiKeyText | null {
  const [, id, secret] = KEY.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

/** Whether a token claims to be a key, even a malformed one. */
export function isApiKey(token: string): boolean {
  return token.startsWith('fwk_')
}

/**
 * Finds a key in a URL, even when some characters of the key are escaped. `isNamed`: the URL contains the prefix of
 * keys.
 */
export function keyInAddress(url: string): { readonly isNamed: boolean; readonly key: ApiKeyText | null } {
  const plain = unescaped(url)
  const found = KEY_IN_TEXT.exec(plain)?.[0]
  return { isNamed: plain.includes('fwk_'), key: found === undefined ? null : parseApiKey(found) }
}

/** Replaces the escapes of printable characters, twice, because a program may escape a URL that is escaped already. */
function unescaped(url: string): string {
  return url.includes('%') ? unescapedOnce(unescapedOnce(url)) : url
}

function unescapedOnce(text: string): string {
  return text.replaceAll(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Whether a key of this scope may make a call. */
export function allowsKey(use: KeyUse, scope: KeyScope): boolean {
  return use === 'read' || (use === 'trade' && scope === 'trade')
}
