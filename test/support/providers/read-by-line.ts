import { Unreadable } from '#server/market-data/feeds/providers/exact-json.ts'
import type { Conversation, Line } from '#server/market-data/feeds/providers/provider-socket.ts'
import type { ProviderSink, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

/** A connection that ignores everything. */
export const SILENT_LINE: Line = {
  send: () => undefined,
  ready: () => undefined,
  renew: () => undefined,
  fail: () => undefined,
}

/**
 * Parses texts with the conversations that `begin` creates, new ones for each text. All conversations write to the same
 * sink.
 */
export function quotesOf(
  begin: (sink: ProviderSink) => () => readonly Conversation[],
): (text: string) => readonly Quote[] {
  const recorder = new ProviderRecorder()
  const converse = begin(recorder)
  return (text) => {
    recorder.quotes.length = 0
    for (const conversation of converse()) hear(conversation, text)
    return [...recorder.quotes]
  }
}

/** Passes a text to a conversation as its connection does, even an unreadable text. */
export function hear(conversation: Conversation, text: string): void {
  try {
    conversation.message(text)?.()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    if (error.trade !== null) conversation.unread?.(error.trade)()
  }
}

/** A connection that records everything a conversation does. */
export class RecordedLine implements Line {
  readonly sent: unknown[] = []
  isReady = false
  readonly failures: string[] = []

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  ready(): void {
    this.isReady = true
  }

  renew(): void {}

  fail(why: string): void {
    this.failures.push(why)
  }
}

/** Passes messages to a conversation, as text or as objects for JSON. Each must be readable. */
export function say(conversation: Conversation, ...messages: readonly (string | object)[]): void {
  for (const message of messages) {
    conversation.message(typeof message === 'string' ? message : JSON.stringify(message))?.()
  }
}
