import { readItem, readJson, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'reset_address'
const REQUEST_KEY = 'reset_request'
const ACCOUNTS_KEY = 'reset_accounts'

/**
 * Returns the address that a code was requested for. The tab keeps the address: users look for the code on other screens,
 * and the page for the new password needs it.
 */
export function storedAddress(): string {
  return readItem('sessionStorage', KEY) ?? ''
}

/** Stores an address. A different address clears the data of the previous one. */
export function keepAddress(address: string | null): void {
  if (address !== storedAddress()) {
    keepRequest(null)
    keepAccounts(null)
  }
  writeItem('sessionStorage', KEY, address)
}

/** The secret of the request. The server counts attempts with it separately from attempts by strangers. */
export function storedRequest(): string | undefined {
  return readItem('sessionStorage', REQUEST_KEY) ?? undefined
}

export function keepRequest(request: string | null): void {
  writeItem('sessionStorage', REQUEST_KEY, request)
}

/** Returns the usernames whose password a valid code may set. */
export function storedAccounts(): readonly string[] {
  const names = readJson('sessionStorage', ACCOUNTS_KEY)
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

export function keepAccounts(accounts: readonly string[] | null): void {
  writeItem('sessionStorage', ACCOUNTS_KEY, accounts === null ? null : JSON.stringify(accounts))
}
