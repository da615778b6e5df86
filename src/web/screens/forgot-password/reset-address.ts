import { readItem, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'reset_address'

/**
 * What a code was asked for with, kept for this tab: looking for the code in another screen must not lose it, and the
 * page for the new password asks for it again.
 */
export function keptAddress(): string {
  return readItem('sessionStorage', KEY) ?? ''
}

export function keepAddress(address: string | null): void {
  writeItem('sessionStorage', KEY, address)
}
