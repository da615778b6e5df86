import { Child } from './child.ts'
import type { Ages, FromListeningSink, ListenTo, ToListeningSink } from './listening-sink.ts'

/** Clients in a separate process that measure the age of the prices they receive. */
export class Listeners {
  private readonly child = new Child<ToListeningSink, FromListeningSink>('listening-sink.ts')

  /** Resolves when all clients are connected. */
  async open(wanted: ListenTo): Promise<void> {
    const answer = this.child.hears((message) => ('ages' in message ? null : message))
    this.child.tell(wanted)
    const reply = await answer
    if ('failed' in reply) throw new Error(reply.failed)
  }

  /** Resolves to the ages of the prices that the clients received since the last call. */
  ages(): Promise<Ages> {
    const answer = this.child.hears((message) => ('ages' in message ? message.ages : null))
    this.child.tell('ages')
    return answer
  }

  /** Suspends the process of the clients by SIGSTOP: no client reads or replies any more. */
  stall(): void {
    this.child.signal('SIGSTOP')
  }

  goOn(): void {
    this.child.signal('SIGCONT')
  }

  end(): void {
    this.goOn()
    this.child.end()
  }
}
