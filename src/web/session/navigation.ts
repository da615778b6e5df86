import { useMemo } from 'react'
import { matchScreen, type ScreenMatch } from '#core/navigation/screens.ts'
import { screensBehind, setAddress, useAddress } from '#web/session/location.ts'

let navigations = 0

/** Goes to a path of the app. `replace` leaves no entry in the history. */
export type Go = (path: string, options?: { replace?: boolean }) => void

const go: Go = (path, options = {}) => {
  navigations++
  setAddress(path, options)
}

export function useGo(): Go {
  return go
}

/** Back to where the user came from, or to `parent` when they came from outside. */
export function useGoBack(parent: string): () => void {
  return () => {
    if (screensBehind() > 0) globalThis.history.back()
    else go(parent, { replace: true })
  }
}

export function useScreenMatch(): ScreenMatch {
  const [path = ''] = useAddress().split('?')
  return useMemo(() => matchScreen(path), [path])
}

/** Path and query, as the return address keeps them. */
export const useFullPath = useAddress

/** Whether the user has moved since the page was loaded: the first screen must not steal the focus. */
export function hasNavigated(): boolean {
  return navigations > 0
}

globalThis.addEventListener?.('popstate', () => {
  navigations++
})
