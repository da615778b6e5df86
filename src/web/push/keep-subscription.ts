import { call } from '#web/api/call.ts'
import {
  hasKey,
  ownSubscription,
  pushSupport,
  readPermission,
  setWasOn,
  storeSubscription,
} from '#web/push/device-push.ts'
import { setAddress } from '#web/session/location.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'

/**
 * Compares the browser's subscription with the server's at each start and log-in, and renews or removes it. A log-out
 * ends the subscription in this browser too. The icon of the installed app shows the number of unread notices.
 */
export function keepSubscription(): void {
  let token = getSession()?.token
  onSessionChange(() => {
    showUnread()
    const next = getSession()?.token
    if (next === token) return
    if (next === undefined) setWasOn(false)
    token = next
    compareQuietly()
  })
  showUnread()
  compareQuietly()
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('message', followWorker)
}

/** Opens the path of a system notification, after the worker has reported that the user pressed it. */
function followWorker({ data }: MessageEvent<unknown>): void {
  if (typeof data !== 'object' || data === null || !('open' in data)) return
  const { open: path } = data
  if (typeof path === 'string' && path.startsWith('/')) setAddress(path)
}

function compareQuietly(): void {
  // A failure without a connection is ignored, because the next start compares again.
  compareSubscriptions().catch(() => undefined)
}

async function compareSubscriptions(): Promise<void> {
  if ((await pushSupport()) !== 'ready' || (await readPermission()) !== 'granted') return
  const subscription = await ownSubscription()
  if (!getSession()?.user.ev) {
    await subscription?.unsubscribe()
    return
  }
  const { key, devices } = (await call('GET /user/push')).data
  if (!devices.some(({ current }) => current)) await subscription?.unsubscribe()
  else await storeSubscription(key, subscription !== null && hasKey(subscription, key) ? subscription : null)
}

function showUnread(): void {
  if (!('setAppBadge' in navigator)) return
  const unread = getSession()?.user.unread_notices ?? 0
  const shown = unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge()
  shown.catch(() => undefined)
}
