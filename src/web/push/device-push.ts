import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { call } from '#web/api/call.ts'
import { registerWorker } from '#web/app-install/app-worker.ts'
import { mustBeInstalled } from '#web/app-install/install-offer.ts'

/** Whether this browser can show notices, and why not. `home-screen`: only the installed app can. */
export type PushSupport = 'ready' | 'home-screen' | 'denied' | 'unsupported'

/**
 * Storage key that marks a browser whose user turned notices on. With this mark, the app can tell later that a push
 * service ended the notices.
 */
const WAS_ON = 'push_on'

export async function pushSupport(): Promise<PushSupport> {
  if (!('serviceWorker' in navigator) || !isSecureContext) return 'unsupported'
  if (!('PushManager' in globalThis) || !('Notification' in globalThis))
    return mustBeInstalled() ? 'home-screen' : 'unsupported'
  return (await readPermission()) === 'denied' ? 'denied' : 'ready'
}

/** Whether the user lets this site show notices. */
export async function readPermission(): Promise<PermissionState> {
  return (await findStatus())?.state ?? (Notification.permission === 'default' ? 'prompt' : Notification.permission)
}

/**
 * Runs the listener when the user changes the permission, also in the settings of the browser. Returns a function that
 * stops it.
 */
export function onPermissionChange(listener: () => void): () => void {
  const status = findStatus()
  void status.then((found) => found?.addEventListener('change', listener))
  return () => void status.then((found) => found?.removeEventListener('change', listener))
}

/** Returns the permission with its change event; null in browsers that do not report changes of this permission. */
async function findStatus(): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: 'notifications' })
  } catch {
    return null
  }
}

/** Whether notices were turned on in this browser and not turned off by its user. */
export function wasOn(): boolean {
  return readItem('localStorage', WAS_ON) !== null
}

export function setWasOn(isOn: boolean): void {
  writeItem('localStorage', WAS_ON, isOn ? '1' : null)
}

/** Returns the subscription of this browser. Null without one. */
export async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Subscribes this browser with the key of the site. Rejects when its push service does not answer. */
async function subscribe(key: string): Promise<PushSubscription> {
  if ((await registerWorker()) === null) throw new Error('the worker is blocked')
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription with an earlier key of the site would prevent a subscription with this key.
  await (await pushManager.getSubscription())?.unsubscribe()
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** Sends the subscription of this browser to the server. Subscribes first if `known` is null. */
export async function storeSubscription(key: string, known: PushSubscription | null = null) {
  const subscription = known ?? (await subscribe(key))
  const { endpoint, keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const body = { endpoint: endpoint ?? '', keys: { p256dh, auth }, key, zone }
  return await call('POST /user/push/subscriptions', { body })
}

/** Whether the subscription was made with this key of the site. */
export function hasKey(subscription: PushSubscription, key: string): boolean {
  const own = subscription.options.applicationServerKey
  return own !== null && toBase64Url(new Uint8Array(own)) === key
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
