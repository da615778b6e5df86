import { readItem, readJson, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'reset_address'
const REQUEST_KEY = 'reset_request'
const ACCOUNTS_KEY = 'reset_accounts'

/**
 * What a code was asked for with, kept for this tab: looking for the code in another screen must not lose it, and the
 * page for the new password asks for it again.
 */
export function keptAddress(): string {
  return readItem('sessionStorage', KEY) ?? ''
}

/** Keeps another address; what belongs to the last one is forgotten. */
export function keepAddress(address: string | null): void {
  if (address !== keptAddress()) {
    keepRequest(null)
    keepAccounts(null)
  }
  writeItem('sessionStorage', KEY, address)
}

/** The secret of the request: tries of this browser count apart from those of strangers. */
export function keptRequest(): string | undefined {
  return readItem('sessionStorage', REQUEST_KEY) ?? undefined
}

export function keepRequest(request: string | null): void {
  writeItem('sessionStorage', REQUEST_KEY, request)
}

/** The usernames that a right code may set a password for. */
export function keptAccounts(): readonly string[] {
  const kept = readJson('sessionStorage', ACCOUNTS_KEY)
  return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
}

export function keepAccounts(accounts: readonly string[] | null): void {
  writeItem('sessionStorage', ACCOUNTS_KEY, accounts === null ? null : JSON.stringify(accounts))
}
