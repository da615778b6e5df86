import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { STAFF_DEVICE_MS } from '#server/back-office/staff-sessions/staff-devices.queries.ts'
import { STAFF_SESSION_MS } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'

/**
 * The name of the session cookie. Scripts and other sites cannot read it. Browsers send it only to the calls and the
 * socket of the back office.
 */
const NAME = 'fairwick_staff'
const PATH = '/api/admin'

/**
 * The name of the cookie that identifies a device across sessions. Browsers send it only to the back office, like the
 * session cookie.
 */
const DEVICE_NAME = 'fairwick_staff_device'

interface Site {
  readonly publicUrl: string | null
}

export function setSessionCookie(reply: FastifyReply, site: Site, token: string): void {
  void reply.setCookie(NAME, token, { ...shape(site), maxAge: STAFF_SESSION_MS / 1_000 })
}

export function setDeviceCookie(reply: FastifyReply, site: Site, token: string): void {
  void reply.setCookie(DEVICE_NAME, token, { ...shape(site), maxAge: STAFF_DEVICE_MS / 1_000 })
}

export function deviceCookie(request: FastifyRequest): string | null {
  return request.cookies[DEVICE_NAME] ?? null
}

export function clearSessionCookie(reply: FastifyReply, site: Site): void {
  void reply.clearCookie(NAME, shape(site))
}

export function sessionCookie(request: FastifyRequest): string | null {
  return request.cookies[NAME] ?? null
}

const IN_HEADER = new RegExp(`(?:^|;\\s*)${NAME}=([\\w-]+)`)

/** Reads the session cookie from a raw request, such as a socket upgrade. */
export function sessionCookieOf({ headers }: IncomingMessage): string | null {
  return IN_HEADER.exec(headers.cookie ?? '')?.[1] ?? null
}

function shape({ publicUrl }: Site) {
  return { path: PATH, httpOnly: true, sameSite: 'strict', secure: publicUrl?.startsWith('https:') ?? false } as const
}
