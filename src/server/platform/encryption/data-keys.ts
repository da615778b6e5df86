import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { createVault, KEY_BYTES, type Vault } from '#server/platform/encryption/vault.ts'

const FILE = 'data-keys.json'
/** The file with the keys that encrypt the records of erased accounts, which the law requires an operator to keep. */
const RECORDS_FILE = 'records-keys.json'
const KEY = /^[A-Za-z0-9_-]{43}$/

type RandomBytes = (count: number) => Uint8Array

/** Parses keys in the form of `FAIRWICK_DATA_KEY`: 32 bytes each in base64url, separated by commas, newest first. */
export function readDataKeys(text: string): Uint8Array[] | null {
  const parts = text.split(',').map((part) => part.trim())
  if (!parts.every((part) => KEY.test(part))) return null
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64url')))
}

/**
 * Opens the vault of this installation. Keys come from the environment, else from the data folder, where the first key
 * is created.
 */
export function openVault(dataDir: string, given: string | undefined, randomBytes: RandomBytes): Vault {
  return open(join(dataDir, FILE), { given, variable: 'FAIRWICK_DATA_KEY', randomBytes })
}

/** Opens the vault for the kept records of erased accounts, which has separate keys. */
export function openRecordsVault(dataDir: string, given: string | undefined, randomBytes: RandomBytes): Vault {
  return open(join(dataDir, RECORDS_FILE), { given, variable: 'FAIRWICK_RECORDS_KEY', randomBytes })
}

interface Source {
  readonly given: string | undefined
  readonly variable: string
  readonly randomBytes: RandomBytes
}

function open(path: string, { given, variable, randomBytes }: Source): Vault {
  const keys = given === undefined ? (readFile(path) ?? makeFirst(path, randomBytes)) : readDataKeys(given)
  if (keys === null) throw new StartUpError(`${variable} must contain keys of 32 bytes in base64url.`)
  return createVault(keys, randomBytes)
}

/** Creates a key for later encryption. Earlier keys still decrypt. Only for keys stored in the data folder. */
export function addDataKey(vault: Vault, dataDir: string, randomBytes: RandomBytes): void {
  const path = join(dataDir, FILE)
  const keys = [randomBytes(KEY_BYTES), ...(readFile(path) ?? [])]
  keep(path, keys)
  vault.useKeys(keys)
}

/** Deletes all keys except the newest, because nothing is encrypted with them any more. */
export function dropOldDataKeys(vault: Vault, dataDir: string): void {
  const path = join(dataDir, FILE)
  const keys = (readFile(path) ?? []).slice(0, 1)
  keep(path, keys)
  vault.useKeys(keys)
}

function makeFirst(path: string, randomBytes: RandomBytes): Uint8Array[] {
  const keys = [randomBytes(KEY_BYTES)]
  keep(path, keys)
  return keys
}

function keep(path: string, keys: readonly Uint8Array[]): void {
  mkdirSync(dirname(path), { recursive: true })
  // Written atomically, and never readable by other users.
  const text = JSON.stringify(keys.map((key) => Buffer.from(key).toString('base64url')))
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
}

function readFile(path: string): Uint8Array[] | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const keys = readDataKeys(text.replace(/[[\]"\s]/g, ''))
  // The key is never replaced, because encrypted data would be lost for good.
  if (keys === null) throw new StartUpError(`${path} does not contain valid encryption keys for personal data.`)
  return keys
}
