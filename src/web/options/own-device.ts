import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

const KEY = 'desk-own'
const store = createStore(readItem('localStorage', KEY) !== null)

/** Whether the chart settings and drawings of this device are not shared with the user's other devices. */
export function useIsOwnDevice(): boolean {
  return useStore(store)
}

export function setOwnDevice(isOwn: boolean): void {
  writeItem('localStorage', KEY, isOwn ? '1' : null)
  store.set(isOwn)
}
