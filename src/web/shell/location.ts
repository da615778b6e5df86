import { createStore, useStore } from '#ui/state/store.ts'

/** Path and query of the address bar, followed. */
const store = createStore(read())

export function useAddress(): string {
  return useStore(store)
}

/** Changes the address without loading a page. */
export function setAddress(address: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) globalThis.history.replaceState(null, '', address)
  else globalThis.history.pushState(null, '', address)
  store.set(read())
}

function read(): string {
  return globalThis.location.pathname + globalThis.location.search
}

globalThis.addEventListener?.('popstate', () => store.set(read()))
