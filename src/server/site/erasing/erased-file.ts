import { appendFile, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/**
 * The file is in the data folder, and backups do not contain it, because it lists the accounts that a restored backup
 * must not bring back.
 */
const FILE = 'erased-accounts.jsonl'

const Line = z.object({ user: z.uuid(), erased_ms: z.number().int() })

/** A user whose data was erased, with the time of the erasing in ms. */
export interface ErasedAccount {
  readonly userId: string
  readonly erasedAt: number
}

/**
 * Reads the erased accounts. A line that a crash cut off is ignored. The next round adds the account again, because the
 * database still lists it as erased.
 */
export async function readErasedFile(dataDir: string): Promise<ErasedAccount[]> {
  let text: string
  try {
    text = await readFile(join(dataDir, FILE), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    const read = line === '' ? null : Line.safeParse(parsed(line))
    return read?.success ? [{ userId: read.data.user, erasedAt: read.data.erased_ms }] : []
  })
}

/** Adds erased accounts to the file. The promise resolves when they are safely on the disk. */
export async function addToErasedFile(dataDir: string, accounts: readonly ErasedAccount[]): Promise<void> {
  if (accounts.length === 0) return
  await mkdir(dataDir, { recursive: true })
  const file = await open(join(dataDir, FILE), 'a', 0o600)
  try {
    // The line break is before each account, so that an account starts a new line even when a crash cut off the line
    // before.
    const lines = accounts.map(({ userId, erasedAt }) => `\n${JSON.stringify({ user: userId, erased_ms: erasedAt })}\n`)
    await appendFile(file, lines.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
