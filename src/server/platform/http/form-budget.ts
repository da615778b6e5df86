import type { FastifyReply, FastifyRequest } from 'fastify'
import { BusyError } from '#server/platform/limits/fair-queue.ts'

type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Counts the bytes of uploads that calls hold in memory. An upload counts only the bytes received so far, so slow
 * senders hold little. An upload above the budget is refused before memory runs out.
 */
export class FormBudget {
  private readonly maxBytes: number
  private readonly held = new WeakMap<FastifyRequest, number>()
  private total = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get heldBytes(): number {
    return this.total
  }

  /** Counts bytes of this call. Throws a `BusyError` when the budget is used up. */
  take(request: FastifyRequest, bytes: number): void {
    if (this.total + bytes > this.maxBytes) throw new BusyError('too many files are being sent')
    this.total += bytes
    this.held.set(request, (this.held.get(request) ?? 0) + bytes)
  }

  /** Wraps a handler so that the bytes of its call are released when the handler ends, also on failure. */
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

/** The budget of this process, because memory is limited per process. */
export const formBudget = new FormBudget(256 * 1_048_576)
