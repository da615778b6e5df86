import { readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'device'

/** Returns the server's id of this browser since the last log-in. It survives a log-out. */
export function ownDevice(): string | undefined {
  return readItem('localStorage', KEY) ?? undefined
}

export function keepDevice(device: string): void {
  writeItem('localStorage', KEY, device)
}
