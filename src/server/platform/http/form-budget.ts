import type { FastifyReply, FastifyRequest } from 'fastify'
import { BusyError } from '#server/platform/limits/fair-queue.ts'

type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Counts the bytes of files that calls hold in memory. Who sends slowly holds little, and who sends much is turned away
 * before there is no memory left for anybody.
 */
export class FormBudget {
  private readonly mostBytes: number
  private readonly held = new WeakMap<FastifyRequest, number>()
  private total = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  get heldBytes(): number {
    return this.total
  }

  /** Counts bytes of this call. Throws a `BusyError` when there is no room. */
  take(request: FastifyRequest, bytes: number): void {
    if (this.total + bytes > this.mostBytes) throw new BusyError('too many files are being sent')
    this.total += bytes
    this.held.set(request, (this.held.get(request) ?? 0) + bytes)
  }

  /** The same handler, which lets go of what it held when it is done, whatever came of it. */
  around(handler: Answering): Answering {
    return async (request, reply) => {
      try {
        return await handler(request, reply)
      } finally {
        this.total -= this.held.get(request) ?? 0
        this.held.delete(request)
      }
    }
  }
}

/** Of this process: its memory is what there is. */
export const formBudget = new FormBudget(256 * 1_048_576)
