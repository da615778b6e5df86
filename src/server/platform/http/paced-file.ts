import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock } from '#server/platform/runtime/ports.ts'

/** A reply that is a file. */
export interface FileAnswer {
  readonly ok: true
  readonly file: {
    readonly content: Readable
    readonly name: string
    readonly type: string
  }
}

/**
 * 60 s: a reader that takes no further portion in this time is disconnected, so that it does not keep one of the few
 * concurrent transfers.
 */
export const MAX_PORTION_MS = 60_000

/**
 * Streams portions at the reader's pace, and holds one portion in memory. A failure or a reader that is too slow
 * destroys the stream, so that no client takes an incomplete file for a complete one.
 */
export function pacedFile(clock: Pick<Clock, 'after'>, portions: AsyncIterable<string | Uint8Array>): Readable {
  async function* paced(): AsyncGenerator<string | Uint8Array> {
    for await (const portion of portions) {
      const cancel = clock.after(MAX_PORTION_MS, () => stream.destroy(new Error('the reader of a file is too slow')))
      try {
        yield portion
      } finally {
        cancel()
      }
    }
  }
  const stream = Readable.from(paced(), { objectMode: false })
  return stream
}

export function sendFile({ file: { content, name, type } }: FileAnswer, reply: FastifyReply): FastifyReply {
  void reply
    .type(type === 'application/zip' ? type : `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
  return reply.send(content)
}
