import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** 4 GiB: a whole run of all tests writes less than 2 GiB at a time. */
const MIN_SPACE_BYTES = 4 * 2 ** 30
/** 8 GiB: the tests themselves take up to 4 GiB. */
const MIN_MEMORY_BYTES = 8 * 2 ** 30

/**
 * Creates a folder for the files of one test run, in memory where there is room, and returns its path. The end of the
 * process removes the folder. Copied databases are thousands of small files: creating them on a disk takes a tenth of
 * all processor time.
 */
export function createScratchFolder(prefix) {
  const folder = mkdtempSync(join(hasRoomInMemory() ? IN_MEMORY : tmpdir(), prefix))
  // PostgreSQL runs as another user and has its data in a subfolder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoomInMemory() {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= MIN_SPACE_BYTES && freemem() >= MIN_MEMORY_BYTES
  } catch {
    // Only Linux has this folder. On other systems the files go to the disk.
    return false
  }
}
