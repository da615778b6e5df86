import { readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'device'

/** Returns the id that the server assigned to this browser at a log-in. A log-out keeps the id. */
export function ownDevice(): string | undefined {
  return readItem('localStorage', KEY) ?? undefined
}

export function keepDevice(device: string): void {
  writeItem('localStorage', KEY, device)
}
