import { z } from 'zod'

/** The path is below the path of the staff calls, so that the browser sends the session cookie. */
export const STAFF_SOCKET_PATH = '/api/admin/live'

/** 20 s: interval of `alive` messages while nothing else is sent. */
export const STAFF_SOCKET_ALIVE_MS = 20_000

/**
 * Messages of the server to the back office. They contain no data: they only name an area whose displayed data may be
 * outdated. The client sends no messages.
 */
export const StaffMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('alive') }),
  z.object({ type: z.literal('changed'), area: z.string() }),
])
export type StaffMessage = z.output<typeof StaffMessage>
