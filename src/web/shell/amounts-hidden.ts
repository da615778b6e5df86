import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

const KEY = 'amounts_hidden'
const store = createStore(readItem('localStorage', KEY) === '1')

/** Whether balances are hidden from people who can see the screen. */
export function useAmountsHidden(): boolean {
  return useStore(store)
}

export function toggleAmountsHidden(): void {
  const next = !store.get()
  writeItem('localStorage', KEY, next ? '1' : null)
  store.set(next)
}
