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

/** Where a browser gets its messages, and the keys to encrypt them for it. */
export interface PushAddress {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

interface CheckParts {
  readonly outgoing: Pick<Outgoing, 'refusalOf'>
  /** Further hosts, of the operator. */
  readonly hosts: readonly string[]
}

/** Whether messages may be sent to an address: a public host of a known push service, with keys that encrypt. */
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

/** 16 bytes. */
function isSecret(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
