import { Child } from './child.ts'
import type { Ages, FromListeningSink, ListenTo, ToListeningSink } from './listening-sink.ts'

/** Clients in a process of their own that see how old their prices are. */
export class Listeners {
  private readonly child = new Child<ToListeningSink, FromListeningSink>('listening-sink.ts')

  /** Answers when all of them are in. */
  async open(wanted: ListenTo): Promise<void> {
    const answer = this.child.hears((told) => ('ages' in told ? null : told))
    this.child.tell(wanted)
    const told = await answer
    if ('failed' in told) throw new Error(told.failed)
  }

  /** How it was since the last time. */
  ages(): Promise<Ages> {
    const answer = this.child.hears((told) => ('ages' in told ? told.ages : null))
    this.child.tell('ages')
    return answer
  }

  /** Reads nothing from now on, and answers nothing. */
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
