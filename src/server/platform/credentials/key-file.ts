import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a file of keys from the data folder. Null when there is none. */
export function readKeyFile(dataDir: string, name: string): string | null {
  try {
    return readFileSync(join(dataDir, name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes keys to a new file and renames it, so that the file is always complete and never readable by other users. */
export function writeKeyFile(dataDir: string, name: string, keys: unknown): void {
  const path = join(dataDir, name)
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(keys), { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
}
