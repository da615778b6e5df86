import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { retry } from '#ui/retry.ts'

/** Creates a component whose code loads on first render. Failed loads are repeated. */
export function lazyComponent<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await retry(load) }))
}
