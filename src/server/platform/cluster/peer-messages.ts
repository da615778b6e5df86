import type { Topic } from '#server/platform/cluster/bus.ts'
import { verifyMessage } from '#server/platform/cluster/signed-message.ts'

export interface PeerMessage {
  readonly body: unknown
  /** Whether messages of the same server are missing before this one. */
  readonly isAfterGap: boolean
}

/**
 * Reads the messages of other servers: refuses forged and repeated messages, and notices missing messages by their
 * numbers.
 */
export class PeerMessages {
  readonly #secret: Uint8Array
  readonly #run: string
  readonly #lastNumbers = new Map<string, number>()
  received = 0
  refused = 0

  constructor({ secret, run }: { readonly secret: Uint8Array; readonly run: string }) {
    this.#secret = secret
    this.#run = run
  }

  /** Verifies a received message. Returns null for a refused message, and for a message of this server itself. */
  read(topic: Topic, data: Uint8Array): PeerMessage | null {
    const message = verifyMessage(this.#secret, topic, data)
    if (message === null) return this.#refuse()
    const key = `${topic} ${message.from}`
    const before = this.#lastNumbers.get(key)
    if (before !== undefined && message.nth <= before) return this.#refuse()
    if (message.from === this.#run) return null
    this.received += 1
    this.#lastNumbers.set(key, message.nth)
    return { body: message.body, isAfterGap: before !== undefined && message.nth !== before + 1 }
  }

  #refuse(): null {
    this.refused += 1
    return null
  }
}
