import type { QueryClient } from '@tanstack/react-query'
import { STAFF_SOCKET_ALIVE_MS, STAFF_SOCKET_PATH, StaffMessage } from '#contract/live/staff-socket.ts'
import { onWakeUp, openBrowserWire, socketAddress } from '#ui/socket/browser-wire.ts'
import { type OpenWire, openReconnecting } from '#ui/socket/reconnecting-socket.ts'
import { createStore } from '#ui/state/store.ts'
import { ME } from '#back-office/api/queries.ts'
import { createFreshness } from '#back-office/live/freshness.ts'

/** State of the socket that delivers changes by other staff members to this page. */
export const connection = createStore<'connecting' | 'live' | 'lost'>('connecting')

/** Refetches the displayed data when the server reports changes. The returned function stops it. */
export function followChanges(client: QueryClient, open: OpenWire = openBrowserWire): () => void {
  const freshness = createFreshness({
    refresh: (area) => client.invalidateQueries(area === null ? { predicate: isOfficeData } : { queryKey: [area] }),
  })
  let wasLost = false
  const socket = openReconnecting({
    address: () => socketAddress(STAFF_SOCKET_PATH),
    open,
    // The socket counts as lost when three heartbeats of the server are missing.
    silenceMs: 3 * STAFF_SOCKET_ALIVE_MS,
    onOpen: () => {
      connection.set('live')
      if (wasLost) freshness.changed(null)
      wasLost = false
    },
    onMessage: (text) => {
      const message = StaffMessage.safeParse(readJson(text)).data
      if (message?.type === 'changed') freshness.changed(message.area)
    },
    onLost: () => {
      wasLost = true
      connection.set('lost')
      // The session may have ended or the role may have changed. The app then shows the log-in page, or only the pages
      // that the new role may see.
      void client.invalidateQueries({ queryKey: ME })
    },
  })
  const onVisibility = () => freshness.setWatched(document.visibilityState === 'visible')
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  const stopWakeUps = onWakeUp(socket.retryNow)
  return () => {
    socket.close()
    stopWakeUps()
    document.removeEventListener('visibilitychange', onVisibility)
    connection.set('connecting')
  }
}

function isOfficeData({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[0] !== ME[0]
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A message that is not JSON is ignored.
    return null
  }
}
