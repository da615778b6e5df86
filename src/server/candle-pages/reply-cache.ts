import type { PreparedReply } from '#server/http/prepared-reply.ts'

/** Keeps the most recently used answers, as many as take `capacity` bytes together. */
export interface ReplyCache {
  get(key: string): PreparedReply | null
  put(key: string, reply: PreparedReply): void
  remove(key: string): void
}

export function createReplyCache(capacity: number): ReplyCache {
  // A Map walks in the order of insertion, so putting an answer in again makes it the youngest.
  const replies = new Map<string, PreparedReply>()
  let bytes = 0
  function remove(key: string): void {
    bytes -= replies.get(key)?.bytes ?? 0
    replies.delete(key)
  }

  return {
    get(key) {
      const found = replies.get(key)
      if (found === undefined) return null
      replies.delete(key)
      replies.set(key, found)
      return found
    },
    put(key, reply) {
      remove(key)
      replies.set(key, reply)
      bytes += reply.bytes
      for (const oldest of replies.keys()) {
        if (bytes <= capacity || oldest === key) break
        remove(oldest)
      }
    },
    remove,
  }
}
