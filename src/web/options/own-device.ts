import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

const KEY = 'desk-own'
const store = createStore(readItem('localStorage', KEY) !== null)

/** Whether this device keeps settings and drawings of the chart to itself. */
export function useIsOwnDevice(): boolean {
  return useStore(store)
}

export function setOwnDevice(isOwn: boolean): void {
  writeItem('localStorage', KEY, isOwn ? '1' : null)
  store.set(isOwn)
}
