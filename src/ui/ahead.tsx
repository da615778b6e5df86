import { type ComponentType, type FunctionComponent, lazy, useState } from 'react'
import { persistently } from '#ui/persistently.ts'

/** A component that can be fetched before it is drawn. `prepare` answers whether it is there; what is not is asked for again when it is drawn. */
export type Ahead<P extends object> = FunctionComponent<P> & { prepare: () => Promise<boolean>; isReady: () => boolean }

/**
 * A component whose code is fetched when it is first drawn, or before that by `prepare`: then it is drawn at once, while one of `later`
 * would still show what stands in for it, for up to a third of a second.
 */
export function ahead<P extends object>(load: () => Promise<ComponentType<P>>): Ahead<P> {
  let loaded: ComponentType<P> | null = null
  let coming: Promise<ComponentType<P>> | null = null
  const fetch = async (): Promise<ComponentType<P>> => {
    coming ??= persistently(load)
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
    // The same for as long as it is drawn, or it would begin anew once it was fetched.
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
