import { useMemo } from 'react'
import { matchScreen, type ScreenMatch } from '#core/navigation/screens.ts'
import { screensBehind, setAddress, useAddress } from '#web/session/location.ts'

let navigations = 0

/** Goes to a path of the app. `replace` adds no entry to the history. */
export type Go = (path: string, options?: { replace?: boolean }) => void

const go: Go = (path, options = {}) => {
  navigations++
  setAddress(path, options)
}

export function useGo(): Go {
  return go
}

/** Goes back to the previous screen, or to `parent` if the user came from outside the app. */
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

/** Returns path and query, as the return path stores them. */
export const useFullPath = useAddress

/** Whether the user has navigated since the page load: the first screen must not take the focus. */
export function hasNavigated(): boolean {
  return navigations > 0
}

globalThis.addEventListener?.('popstate', () => {
  navigations++
})
