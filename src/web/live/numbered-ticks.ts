import type { TickMessage } from '#contract/live/app-socket.ts'
import { tickCode } from '#web/live/messages.ts'

/** A tick with its sequence number in the tick log, and its time in milliseconds UTC. */
export interface NumberedTick {
  readonly q: number
  readonly time: number
  readonly price: number
}

/** Returns the ticks of a symbol among messages. Prices without a sequence number are no ticks. */
export function numberedTicks(messages: readonly TickMessage[], code: string): NumberedTick[] {
  return messages.flatMap((message) => {
    const { q, c: price, past } = message
    const time = message.E ?? message.t
    const isTick = q !== undefined && time !== undefined && past !== true && tickCode(message) === code
    return isTick ? { q, time, price } : []
  })
}
