import { z } from 'zod'

/** Beside the calls, so that the session's cookie comes along. */
export const STAFF_SOCKET_PATH = '/api/admin/live'

/** How often the server says `alive` while there is nothing else to say. */
export const STAFF_SOCKET_ALIVE_MS = 20_000

/** What the back office is told: never data, only that what it shows of an area may be old. It says nothing itself. */
export const StaffMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('changed'), area: z.string() }),
])
export type StaffMessage = z.output<typeof StaffMessage>
