import type { FastifyInstance } from 'fastify'
import { admitStaff, type StaffCallParts } from '#server/back-office/api/register-staff-call.ts'
import { staffRefusalReply } from '#server/back-office/api/staff-replies.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'

/**
 * Only pictures are displayed, because the server re-encodes them. Documents may contain scripts, so they are only
 * downloaded.
 */
const SHOWN = new Set(['image/webp', 'image/png', 'image/jpeg'])

/** The call that serves an uploaded file. */
const UPLOAD = { method: 'GET', may: 'deposits.see', path: '/admin/uploads/:name' } as const

/** Serves proofs of payment to roles that can see deposits, in a sandbox that runs no scripts. */
export function staffUploadsRoutes(app: FastifyInstance, uploads: Uploads, parts: StaffCallParts): void {
  app.get<{ Params: { name: string } }>('/api/admin/uploads/:name', async (request, reply) => {
    const admitted = await admitStaff(UPLOAD, request, parts)
    if (!admitted.ok) {
      const { status, headers, body } = staffRefusalReply(admitted)
      return reply.code(status).headers(headers).send(body)
    }
    const file = await uploads.read(request.params.name, 'receipt')
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
