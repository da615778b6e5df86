import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#server/platform/runtime/ports.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

const FOR_OTHERS = 0o077
/** Made by the server itself, file by file, under its own mask. Looked through only when it was open to others. */
const LARGE = new Set(['uploads', 'pictures'])

/**
 * Takes from everybody but this user what a data folder lets them: folders become 0700 and files 0600, as far as others
 * may do more. Earlier versions, and a backup that was copied back, leave folders that others can read.
 */
export function closeToOthers(folder: string, log: Pick<Log, 'info' | 'warn'>): void {
  try {
    const changed = closeFolder(folder)
    if (changed > 0) log.info({ folder, changed }, 'files that other users could read are closed to them')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    log.warn(
      { err: error, folder },
      'other users of this machine may be able to read the data folder: make the user that runs the server its owner',
    )
  }
}

function closeFolder(folder: string): number {
  let changed = closeOne(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // What a link leads to is not ours to change.
    if (entry.isSymbolicLink()) continue
    if (!entry.isDirectory()) changed += closeOne(path)
    else if (!LARGE.has(entry.name) || (lstatSync(path).mode & FOR_OTHERS) !== 0) changed += closeFolder(path)
  }
  return changed
}

function closeOne(path: string): number {
  const { mode } = lstatSync(path)
  if ((mode & FOR_OTHERS) === 0) return 0
  chmodSync(path, mode & 0o700)
  return 1
}
