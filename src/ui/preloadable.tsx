import { type ComponentType, type FunctionComponent, lazy, useState } from 'react'
import { retry } from '#ui/retry.ts'

/**
 * A component that can be preloaded. `prepare` resolves to whether the code is loaded; a failed load is repeated on
 * render.
 */
export type Preloadable<P extends object> = FunctionComponent<P> & {
  prepare: () => Promise<boolean>
  isReady: () => boolean
}

/**
 * Creates a component whose code loads on first render or earlier by `prepare`. A preloaded component renders
 * immediately. A component of React's `lazy` would show its fallback for up to a third of a second even when its code
 * is loaded.
 */
export function preloadable<P extends object>(load: () => Promise<ComponentType<P>>): Preloadable<P> {
  let loaded: ComponentType<P> | null = null
  let coming: Promise<ComponentType<P>> | null = null
  const fetch = async (): Promise<ComponentType<P>> => {
    coming ??= retry(load)
    try {
      loaded = await coming
      return loaded
    } catch (error) {
      coming = null
      throw error
    }
  }
  const Lazy: ComponentType<P> = lazy(async () => ({ default: await fetch() }))
  function Drawn(props: P) {
    // The element keeps its first component, because a switch after the load would remount it and lose its state.
    const [Component] = useState(() => loaded ?? Lazy)
    return <Component {...props} />
  }
  const prepare = async (): Promise<boolean> => {
    try {
      await fetch()
      return true
    } catch {
      return false
    }
  }
  return Object.assign(Drawn, { prepare, isReady: () => loaded !== null })
}
