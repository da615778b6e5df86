import type { FastifyInstance } from 'fastify'
import type { Role } from '#core/staff/permissions.ts'
import { visibleKinds } from '#core/tickets/ticket-rules.ts'
import { admitStaff, type StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import { staffRefusalReply } from '#server/back-office/api/staff-replies.ts'
import { findKindOfPicture } from '#server/back-office/tickets/tickets.queries.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

/**
 * Browsers display only pictures, because the server encodes these again. Documents may contain scripts, so browsers
 * only download them.
 */
const SHOWN = new Set(['image/webp', 'image/png', 'image/jpeg'])

/** The call that serves a proof of payment. */
const PROOF = { method: 'GET', may: 'deposits.see', path: '/admin/uploads/:name' } as const
/** The call that serves a picture of a ticket. */
const TICKET_PICTURE = { method: 'GET', may: 'tickets.see', path: '/admin/ticket-pictures/:name' } as const

/**
 * Serves proofs of payment to roles that can see deposits, and pictures of tickets to roles that can see the ticket, in
 * a sandbox that runs no scripts.
 */
export function staffUploadsRoutes(app: FastifyInstance, uploads: Uploads, parts: StaffCallParts): void {
  serveFiles(app, parts, PROOF, (name) => uploads.read(name, 'receipt'))
  serveFiles(app, parts, TICKET_PICTURE, async (name, role) => {
    const kind = await findKindOfPicture(parts.ctx.db, name)
    return kind !== null && visibleKinds(role).includes(kind) ? uploads.read(name, 'ticket') : null
  })
}

type ReadFile = (name: string, role: Role) => ReturnType<Uploads['read']>

function serveFiles(
  app: FastifyInstance,
  parts: StaffCallParts,
  call: typeof PROOF | typeof TICKET_PICTURE,
  read: ReadFile,
): void {
  app.get<{ Params: { name: string } }>(`/api${call.path}`, async (request, reply) => {
    const admitted = await admitStaff(call, request, parts)
    if (!admitted.ok) {
      const { status, headers, body } = staffRefusalReply(admitted)
      return reply.code(status).headers(headers).send(body)
    }
    const file = await read(request.params.name, admitted.staff?.role ?? 'content')
    if (!file) {
      reply.callNotFound()
      return reply
    }
    const isShown = SHOWN.has(file.mediaType)
    void reply
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', isShown ? 'inline' : 'attachment')
      .type(file.mediaType)
    return reply.send(Buffer.from(file.bytes))
  })
}
