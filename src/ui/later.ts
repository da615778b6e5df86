import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { persistently } from '#ui/persistently.ts'

/** Creates a component whose code loads on first render. Failed loads are repeated. */
export function later<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await persistently(load) }))
}
