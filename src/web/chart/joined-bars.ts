import type { Bar } from '#web/chart/bar.ts'
import { type BarWindow, EMPTY, withLive } from '#web/chart/bar-window.ts'

/** The loaded bars of a chart. Live bars that arrive during a load are joined with its reply, which may lack them. */
export class JoinedBars {
  readonly #onChange: (window: BarWindow, added: Bar | null) => void
  #window = EMPTY
  #live: Bar[] = []
  #running = 0

  constructor(onChange: (window: BarWindow, added: Bar | null) => void) {
    this.#onChange = onChange
  }

  get window(): BarWindow {
    return this.#window
  }

  set(next: BarWindow, added: Bar | null = null): void {
    if (next === this.#window) return
    this.#window = next
    this.#onChange(next, added)
  }

  /** Sets the loaded window together with the live bars that arrived during the load. Null: the window stays. */
  async load(loading: () => Promise<BarWindow | null>): Promise<void> {
    if (this.#running === 0) this.#live = []
    this.#running += 1
    try {
      const loaded = await loading()
      if (loaded !== null) this.set(this.#live.reduce((next, bar) => withLive(next, bar), loaded))
    } finally {
      this.#running -= 1
    }
  }

  /** Keeps a live bar for the replies of the running loads. */
  keep(bar: Bar): void {
    if (this.#running > 0) this.#live.push(bar)
  }
}
