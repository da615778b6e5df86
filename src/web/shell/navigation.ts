import { useMemo } from 'react'
import { matchScreen, type ScreenMatch } from '#core/navigation/screens.ts'
import { setAddress, useAddress } from '#web/shell/location.ts'

/** How many screens of this page load lie behind the current one in the history. */
let depth = 0
let navigations = 0

/** Goes to a path of the app. `replace` leaves no entry in the history. */
export type Go = (path: string, options?: { replace?: boolean }) => void

const go: Go = (path, options = {}) => {
  if (options.replace !== true) depth++
  navigations++
  setAddress(path, options)
}

export function useGo(): Go {
  return go
}

/** Back to where the user came from, or to `parent` when they came from outside. */
export function useGoBack(parent: string): () => void {
  return () => {
    if (depth > 0) globalThis.history.back()
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
  depth = Math.max(0, depth - 1)
  navigations++
})
