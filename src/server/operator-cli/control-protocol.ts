import { join } from 'node:path'
import { z } from 'zod'

/**
 * The client sends one JSON line with the command and its user. The server replies with one JSON line with the exit
 * code and the lines to print.
 */
export const ControlRequest = z.object({
  args: z.array(z.string().max(50_000)).max(50),
  who: z.string().min(1).max(200),
})
export type ControlRequest = z.output<typeof ControlRequest>

export const ControlReply = z.object({
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  lines: z.array(z.string()),
})

/** Returns the path of the socket on which the server accepts commands. */
export function controlPath(dataDir: string): string {
  return join(dataDir, 'admin.sock')
}

/** Operating systems truncate socket paths at about 100 bytes. */
const MAX_PATH_BYTES = 100

export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > MAX_PATH_BYTES
}
