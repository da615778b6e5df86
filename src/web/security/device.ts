import { readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'device'

/** What the server calls this browser since somebody signed in here; it stays when they leave. */
export function ownDevice(): string | undefined {
  return readItem('localStorage', KEY) ?? undefined
}

export function keepDevice(device: string): void {
  writeItem('localStorage', KEY, device)
}
