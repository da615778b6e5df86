import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromSpeaker, ToSpeaker } from '../fake-binance.ts'
import { speakerFeeds } from '../fake-binance-feeds.ts'

/** A process that imitates an exchange, and the value of `FAIRWICK_FEEDS` that connects a server to it. */
export interface FakeExchange {
  readonly feeds: string
  stop(): void
}

/** Starts sending prices of these symbols at this rate. */
export async function startFakeExchange(symbols: readonly string[], perSecond: number): Promise<FakeExchange> {
  const speaker = fork(fileURLToPath(new URL('../fake-binance.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    speaker.once('exit', () => reject(new Error('the exchange has ended')))
    speaker.on('message', (message: FromSpeaker) => {
      if ('port' in message) resolve(message.port)
    })
  })
  speaker.send({ begin: { symbols: symbols.map((code) => `${code}USDT`), perSecond } } satisfies ToSpeaker)
  return { feeds: speakerFeeds(port, symbols), stop: () => void speaker.kill() }
}
