import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** The sender, and the number of this message on the topic. */
export interface BusMessage {
  readonly from: string
  readonly nth: number
  readonly body: unknown
}

const MAC_BYTES = 32
const Content = z.object({ from: z.string(), nth: z.number().int().positive(), body: z.unknown() })

/**
 * Authenticates a message so that only servers on the same database can create it: HMAC-SHA256 over topic and content.
 * An attacker who can write to the bus but not read the database cannot forge messages.
 */
export function signMessage(secret: Uint8Array, topic: string, message: BusMessage): Uint8Array {
  const content = Buffer.from(JSON.stringify(message), 'utf8')
  return Buffer.concat([macOf(secret, topic, content), content])
}

/** Returns the verified message. Null when no server of this cluster signed it. */
export function verifyMessage(secret: Uint8Array, topic: string, data: Uint8Array): BusMessage | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  if (bytes.length <= MAC_BYTES) return null
  const content = bytes.subarray(MAC_BYTES)
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, topic, content))) return null
  const read = Content.safeParse(JSON.parse(content.toString('utf8')))
  return read.success ? { from: read.data.from, nth: read.data.nth, body: read.data.body } : null
}

function macOf(secret: Uint8Array, topic: string, content: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(topic).update('\0').update(content).digest()
}
