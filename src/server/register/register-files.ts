import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REGISTER_PATH } from '#contract/register.ts'
import { formatEntryTile } from '#core/register/entry-tile.ts'
import { TILE_WIDTH } from '#core/register/log-proofs.ts'
import { parseTilePath, type TilePlace } from '#core/register/tile-path.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { callerOf } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { entriesFrom, newestCheckpoint, readTile } from '#server/register/register.queries.ts'
import { withCosignatures } from '#server/register/witnesses.queries.ts'

const compress = promisify(gzip)

/** Registers the files of the register: its newest checkpoint and its tiles (C2SP tlog-tiles). */
export function registerFiles(app: FastifyInstance, ctx: Ctx): void {
  const take = createRateLimiter(READ_LIMITS.register)

  /** Answers with a file, unless the caller's address reads too often. Web pages of any origin may read the file. */
  const file = async (
    request: FastifyRequest,
    reply: FastifyReply,
    read: () => Promise<FastifyReply | undefined>,
  ): Promise<FastifyReply> => {
    void reply.header('access-control-allow-origin', '*').header('x-content-type-options', 'nosniff')
    const seconds = take(subnetOf(callerOf(request).address), ctx.now())
    if (seconds > 0) return reply.code(429).header('retry-after', seconds).send()
    return (await read()) ?? reply.code(404).header('cache-control', 'no-store').send()
  }

  app.get(`${REGISTER_PATH}/checkpoint`, (request, reply) =>
    file(request, reply, async () => {
      const checkpoint = await newestCheckpoint(ctx.db)
      if (checkpoint === null) return
      void reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=5')
      return reply.send(await withCosignatures(ctx.db, checkpoint))
    }),
  )

  app.get<{ Params: { '*': string } }>(`${REGISTER_PATH}/tile/*`, (request, reply) =>
    file(request, reply, async () => {
      const place = parseTilePath(`tile/${request.params['*']}`)
      const size = (await newestCheckpoint(ctx.db))?.size ?? 0
      if (place === null || !isInTree(place, size)) return
      void reply.type('application/octet-stream').header('cache-control', 'public, max-age=31536000, immutable')
      const { level, index, width } = place
      if (level !== 'entries') return reply.send(Buffer.from(await readTile(ctx.db, level, index, width)))
      void reply.header('vary', 'accept-encoding')
      const bytes = await entryTile(ctx, index, width)
      if (request.headers['accept-encoding']?.includes('gzip') !== true) return reply.send(bytes)
      return reply.header('content-encoding', 'gzip').send(await compress(bytes))
    }),
  )
}

function isInTree({ level, index, width }: TilePlace, size: number): boolean {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level))
  return index * TILE_WIDTH + width <= hashes
}

async function entryTile({ db }: Pick<Ctx, 'db'>, index: number, width: number): Promise<Buffer> {
  const entries = await entriesFrom(db, index * TILE_WIDTH, width)
  return Buffer.from(formatEntryTile(entries.map(({ text }) => text)))
}
