import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#server/platform/runtime/ports.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

const FOR_OTHERS = 0o077
/**
 * The server writes the files in these large folders with the umask 077. The check reads such a folder only when the
 * folder itself was open to other users.
 */
const LARGE = new Set(['uploads', 'pictures'])

/**
 * Removes the rights of other operating-system users on a data folder. Folders become 0700 and files 0600.
 * Earlier versions, and a backup that was copied back, leave folders that other users can read.
 */
export function restrictDataFolder(folder: string, log: Pick<Log, 'info' | 'warn'>): void {
  try {
    const changed = closeFolder(folder)
    if (changed > 0) log.info({ folder, changed }, 'removed the rights of other users on files in the data folder')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    log.warn({ err: error, folder }, 'cannot restrict the data folder: make the user that runs the server its owner')
  }
}

function closeFolder(folder: string): number {
  let changed = closeOne(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // The target of a symbolic link is outside the data folder and is left unchanged.
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
