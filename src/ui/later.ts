import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { persistently } from '#ui/persistently.ts'

/** A component whose code is fetched when it is first drawn, several times if need be. */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await persistently(load) }))
}
