import type { IncomingMessage } from 'node:http'
import { STAFF_SOCKET_ALIVE_MS, STAFF_SOCKET_PATH, type StaffMessage } from '#contract/live/staff-socket.ts'
import { changedAreas } from '#server/back-office/socket/changed-areas.ts'
import { sessionCookieOf } from '#server/back-office/staff-sessions/session-cookie.ts'
import type { ServeSocket, SocketEndpoint } from '#server/sockets/socket-endpoint.ts'
import { CLOSE, type Connection } from '#server/sockets/connection.ts'
import { authenticateStaffSocket, type StaffVisit } from '#server/back-office/socket/authenticate-staff-socket.ts'
import { canViewArea } from '#server/back-office/socket/staff-areas.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** At least 500 ms between two messages about an area, and 2 s for areas that change with every order. */
const HINT_EVERY_MS = 500
const BUSY_EVERY_MS = 2_000
const BUSY_AREAS: ReadonlySet<string> = new Set(['dashboard', 'ledger', 'orders', 'users'])

/**
 * Serves `/api/admin/live`, which names areas of the back office that changed, without their content.
 * A socket closes with its session, and when its staff member's role changes.
 */
export class StaffSocket implements SocketEndpoint {
  readonly path = STAFF_SOCKET_PATH
  private readonly ctx: Ctx
  private readonly visits = new Map<Connection, StaffVisit>()
  private readonly hintedAt = new Map<string, number>()
  private readonly waiting = new Map<string, () => void>()
  private readonly stopListening: () => void
  private readonly checks = new Set<Promise<void>>()
  private cancelCheck: (() => void) | null = null

  constructor(ctx: Ctx) {
    this.ctx = ctx
    this.stopListening = ctx.subscribe((announcement) => {
      if (announcement.kind === 'staff-changed') void this.check(announcement.staffId)
      for (const area of changedAreas(announcement)) this.changed(area)
    })
  }

  async admit(request: IncomingMessage): Promise<ServeSocket | null> {
    const visit = await authenticateStaffSocket(this.ctx, sessionCookieOf(request))
    return visit && ((connection) => this.open(connection, visit))
  }

  private open(connection: Connection, visit: StaffVisit): void {
    this.visits.set(connection, visit)
    // The server ignores messages from clients. They only count towards the rate limit.
    connection.onText(() => {})
    connection.onClose(() => {
      this.visits.delete(connection)
      if (this.visits.size > 0) return
      this.cancelCheck?.()
      this.cancelCheck = null
    })
    this.say(connection, { type: 'alive' })
    // If the staff member was blocked during the authentication, this socket was not open yet, so nothing closed it. So
    // the session is checked again now.
    void this.checkOne(connection, visit)
    this.cancelCheck ??= this.scheduleCheck()
  }

  /** Stops listening and waits for running queries, because the caller closes the database next. */
  async stop(): Promise<void> {
    this.stopListening()
    this.cancelCheck?.()
    for (const cancel of this.waiting.values()) cancel()
    this.waiting.clear()
    await Promise.all(this.checks)
  }

  /** Announces a change of an area, now or after the minimum interval. The last change is never dropped. */
  private changed(area: string): void {
    if (this.visits.size === 0 || this.waiting.has(area)) return
    const pause = BUSY_AREAS.has(area) ? BUSY_EVERY_MS : HINT_EVERY_MS
    const wait = (this.hintedAt.get(area) ?? Number.NEGATIVE_INFINITY) + pause - this.ctx.clock.steady()
    if (wait <= 0) return this.hint(area)
    this.waiting.set(
      area,
      this.ctx.clock.after(wait, () => {
        this.waiting.delete(area)
        this.hint(area)
      }),
    )
  }

  private hint(area: string): void {
    this.hintedAt.set(area, this.ctx.clock.steady())
    for (const [connection, { staff }] of this.visits) {
      if (canViewArea(staff.role, area)) this.say(connection, { type: 'changed', area })
    }
  }

  private scheduleCheck(): () => void {
    return this.ctx.clock.after(STAFF_SOCKET_ALIVE_MS, () => {
      this.cancelCheck = this.scheduleCheck()
      void this.check(null)
    })
  }

  /** Checks the sessions of one staff member's sockets, or of all. Another server may have ended a session. */
  private async check(staffId: string | null): Promise<void> {
    const affected = [...this.visits].filter(([, { staff }]) => staffId === null || staff.staffId === staffId)
    await Promise.all(affected.map(([connection, visit]) => this.checkOne(connection, visit)))
    if (staffId === null) for (const [connection] of affected) this.say(connection, { type: 'alive' })
  }

  private async checkOne(connection: Connection, visit: StaffVisit): Promise<void> {
    const check = this.endIfOver(connection, visit)
    this.checks.add(check)
    await check
    this.checks.delete(check)
  }

  private async endIfOver(connection: Connection, { staff, token }: StaffVisit): Promise<void> {
    try {
      const now = await authenticateStaffSocket(this.ctx, token)
      if (now?.staff.role !== staff.role) connection.close(CLOSE.policy, 'session over')
    } catch (error) {
      // The socket stays open until the next check. Until then the socket reveals no data, because without the database
      // the calls that load data fail too.
      this.ctx.log.warn({ err: error }, 'cannot check the sockets of the back office')
    }
  }

  private say(connection: Connection, message: StaffMessage): void {
    connection.send(message)
  }
}
