import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** Names are generated and carry no meaning. User text never becomes part of a path. */
const NAME = /^[0-9a-f]{32}\.(?:webp|pdf)$/

export function isUploadName(text: string): boolean {
  return NAME.test(text)
}

export function uploadFolder(dataDir: string): string {
  return join(dataDir, 'uploads')
}

/**
 * Writes a temporary file and renames it, so that a name never refers to an incomplete file. Only the server's own
 * operating-system user may read the file.
 */
export async function writeUpload(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${name}.part`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, name))
}

export async function readUploadBytes(folder: string, name: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(join(folder, name)))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

export async function removeUpload(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true })
}

/** All files in the folder written before `before`, in milliseconds. */
export async function namesOlderThan(folder: string, before: number): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
  const old: string[] = []
  for (const name of names) {
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < before) old.push(name)
  }
  return old
}
