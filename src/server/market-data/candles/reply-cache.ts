import type { PreparedReply } from '#server/platform/http/prepared-reply.ts'

/** Keeps the most recently used replies, up to `capacity` bytes in total. */
export interface ReplyCache {
  get(key: string): PreparedReply | null
  put(key: string, reply: PreparedReply): void
  remove(key: string): void
}

export function createReplyCache(capacity: number): ReplyCache {
  // A Map iterates in insertion order, so re-inserting a reply makes it the most recently used.
  const replies = new Map<string, PreparedReply>()
  let bytes = 0
  let youngest: string | null = null
  function remove(key: string): void {
    if (key === youngest) youngest = null
    bytes -= replies.get(key)?.bytes ?? 0
    replies.delete(key)
  }

  return {
    get(key) {
      const found = replies.get(key)
      if (found === undefined) return null
      if (key === youngest) return found
      replies.delete(key)
      replies.set(key, found)
      youngest = key
      return found
    },
    put(key, reply) {
      remove(key)
      replies.set(key, reply)
      youngest = key
      bytes += reply.bytes
      for (const oldest of replies.keys()) {
        if (bytes <= capacity || oldest === key) break
        remove(oldest)
      }
    },
    remove,
  }
}
