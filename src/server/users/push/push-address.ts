import { ECDH } from 'node:crypto'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { isOutgoingUrl } from '#server/platform/outgoing/outgoing.ts'

/** The push services of the browsers. A name that begins with a dot stands for all hosts below it. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
] as const

/** The URL at a push service that messages to a browser are sent to, and the browser's keys for encrypting them. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

interface CheckParts {
  readonly outgoing: Pick<Outgoing, 'refusalOf'>
  /** Further hosts of push services, which the operator allows. */
  readonly hosts: readonly string[]
}

/**
 * Returns whether messages may be sent to an address: it needs a public host of a known push service, and valid keys.
 */
export async function isPushAddress(
  { outgoing, hosts }: CheckParts,
  { endpoint, p256dh, auth }: PushAddress,
): Promise<boolean> {
  if (!isOutgoingUrl(endpoint) || !isKnownHost(new URL(endpoint).hostname, hosts)) return false
  if (!isPublicKey(p256dh) || !isSecret(auth)) return false
  return (await outgoing.refusalOf(endpoint)) === null
}

function isKnownHost(host: string, more: readonly string[]): boolean {
  return (
    more.includes(host) || PUSH_SERVICES.some((name) => (name.startsWith('.') ? host.endsWith(name) : host === name))
  )
}

/** A point on the curve P-256, uncompressed: 65 bytes. */
function isPublicKey(text: string): boolean {
  if (!/^B[\w-]{86}$/.test(text)) return false
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url')
    return true
  } catch {
    return false
  }
}

/** Whether a text is the shared secret of a subscription: 16 bytes in base64url. */
function isSecret(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
