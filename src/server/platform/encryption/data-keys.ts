import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { createVault, KEY_BYTES, type Vault } from '#server/platform/encryption/vault.ts'

const FILE = 'data-keys.json'
const KEY = /^[A-Za-z0-9_-]{43}$/

type RandomBytes = (count: number) => Uint8Array

/** Keys as `FAIRWICK_DATA_KEY` has them: 32 bytes in base64url each, commas between, the newest first. */
export function readDataKeys(text: string): Uint8Array[] | null {
  const parts = text.split(',').map((part) => part.trim())
  if (!parts.every((part) => KEY.test(part))) return null
  return parts.map((part) => new Uint8Array(Buffer.from(part, 'base64url')))
}

/**
 * The vault of this installation: its keys from the environment, else from the data folder, where the first one is made
 * when there is none.
 */
export function openVault(dataDir: string, given: string | undefined, randomBytes: RandomBytes): Vault {
  const keys = given === undefined ? (readFile(dataDir) ?? makeFirst(dataDir, randomBytes)) : readDataKeys(given)
  if (keys === null) throw new StartUpError('FAIRWICK_DATA_KEY must contain keys of 32 bytes in base64url.')
  return createVault(keys, randomBytes)
}

/** Makes a key that seals from now on; those before it still open. Only where the keys are kept in the data folder. */
export function addDataKey(vault: Vault, dataDir: string, randomBytes: RandomBytes): void {
  const keys = [randomBytes(KEY_BYTES), ...(readFile(dataDir) ?? [])]
  keep(dataDir, keys)
  vault.useKeys(keys)
}

/** Forgets all keys but the newest: nothing is sealed with them any more. */
export function dropOldDataKeys(vault: Vault, dataDir: string): void {
  const keys = (readFile(dataDir) ?? []).slice(0, 1)
  keep(dataDir, keys)
  vault.useKeys(keys)
}

function makeFirst(dataDir: string, randomBytes: RandomBytes): Uint8Array[] {
  const keys = [randomBytes(KEY_BYTES)]
  keep(dataDir, keys)
  return keys
}

function keep(dataDir: string, keys: readonly Uint8Array[]): void {
  const path = join(dataDir, FILE)
  mkdirSync(dataDir, { recursive: true })
  // Whole or not at all, and never readable by others.
  const text = JSON.stringify(keys.map((key) => Buffer.from(key).toString('base64url')))
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
}

function readFile(dataDir: string): Uint8Array[] | null {
  const path = join(dataDir, FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const keys = readDataKeys(text.replace(/[[\]"\s]/g, ''))
  // Never another one in its place: what is sealed would be lost for good.
  if (keys === null) throw new StartUpError(`${path} does not contain valid encryption keys for personal data.`)
  return keys
}
