import { entryNumber } from '#ui/history-entry.ts'
import { isOnLayer, whenSettled } from '#ui/close-on-back.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/** The path and query of the address bar, kept up to date. */
const store = createStore(read())

export function useAddress(): string {
  return useStore(store)
}

/**
 * Changes the address without a page load. If a layer is open, the new address replaces the history entry of the layer.
 */
export function setAddress(address: string, { replace = false }: { replace?: boolean } = {}): void {
  whenSettled(() => {
    const state = { depth: screensBehind() + (replace ? 0 : 1) }
    if (replace || isOnLayer()) globalThis.history.replaceState(state, '', address)
    else globalThis.history.pushState(state, '', address)
    store.set(read())
  })
}

/** Returns how many screens of this app precede the current one in the history. */
export function screensBehind(): number {
  return entryNumber('depth')
}

function read(): string {
  return globalThis.location.pathname + globalThis.location.search
}

globalThis.addEventListener?.('popstate', () => store.set(read()))
