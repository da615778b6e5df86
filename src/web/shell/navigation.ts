import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { matchScreen, type ScreenMatch } from '#core/navigation/screens.ts'

/** How many screens of this page load lie behind the current one in the history. */
let depth = 0
let navigations = 0

/** Goes to a path of the app. `replace` leaves no entry in the history. */
export type Go = (path: string, options?: { replace?: boolean }) => void

export function useGo(): Go {
  const [, navigate] = useLocation()
  return useMemo(
    () => (path, options) => {
      if (options?.replace !== true) depth++
      navigations++
      navigate(path, options)
    },
    [navigate],
  )
}

/** Back to where the user came from, or to `parent` when they came from outside. */
export function useGoBack(parent: string): () => void {
  const go = useGo()
  return () => {
    if (depth > 0) globalThis.history.back()
    else go(parent, { replace: true })
  }
}

export function useScreenMatch(): ScreenMatch {
  const [path] = useLocation()
  return useMemo(() => matchScreen(path), [path])
}

/** Path and query, as the return address keeps them. */
export function useFullPath(): string {
  const [path] = useLocation()
  const search = useSearch()
  return search === '' ? path : `${path}?${search}`
}

/** Whether the user has moved since the page was loaded: the first screen must not steal the focus. */
export function hasNavigated(): boolean {
  return navigations > 0
}

globalThis.addEventListener?.('popstate', () => {
  depth = Math.max(0, depth - 1)
  navigations++
})
