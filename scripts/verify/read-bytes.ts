import { readFileSync } from 'node:fs'
import { CannotCheck } from './check-verdict.ts'

const WAIT_MS = 30_000

/** Fetches an address. Throws `CannotCheck` when the status of the reply is not a success. Gives up after 30 s. */
export async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(WAIT_MS) })
  if (!response.ok) throw new CannotCheck(`${url} answers ${response.status}.`)
  return Buffer.from(await response.arrayBuffer())
}

/** Reads a file as text. Throws `CannotCheck` when it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CannotCheck(`${file} cannot be read.`)
  }
}
