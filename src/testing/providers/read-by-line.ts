import type { Conversation, Line } from '#server/feeds/providers/provider-socket.ts'
import type { ProviderSink, Quote } from '#server/feeds/providers/provider.ts'
import { ProviderRecorder } from '#testing/providers/provider-recorder.ts'

/** A line that leads nowhere. */
export const SILENT_LINE: Line = {
  send: () => undefined,
  ready: () => undefined,
  renew: () => undefined,
  fail: () => undefined,
}

/** Reads texts as the conversations do that it makes, new ones for each text; all of them tell the same sink. */
export function quotesOf(
  begin: (sink: ProviderSink) => () => readonly Conversation[],
): (text: string) => readonly Quote[] {
  const heard = new ProviderRecorder()
  const converse = begin(heard)
  return (text) => {
    heard.quotes.length = 0
    for (const conversation of converse()) hear(conversation, text)
    return [...heard.quotes]
  }
}

function hear(conversation: Conversation, text: string): void {
  try {
    conversation.message(text)?.()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Unreadable') throw error
  }
}
