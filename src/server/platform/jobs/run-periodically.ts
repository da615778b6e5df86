import type { Clock, Log } from '#server/platform/runtime/ports.ts'

export interface Repeated {
  /** The pause before the first run and after each run. */
  readonly pauseMs: () => number
  readonly run: () => Promise<void>
  /** The log text when a run throws. The next run follows after the usual pause. */
  readonly failure: string
}

/** Runs a job periodically until the returned function is called, which waits for a running job. */
export function runPeriodically(
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
  job: Repeated,
): () => Promise<void> {
  let stopped = false
  let running = Promise.resolve()
  let cancel = schedule()

  function schedule(): () => void {
    return clock.after(job.pauseMs(), () => {
      running = runOnce()
    })
  }
  async function runOnce(): Promise<void> {
    try {
      await job.run()
    } catch (error) {
      if (!stopped) log.warn({ err: error }, job.failure)
    }
    if (!stopped) cancel = schedule()
  }

  return () => {
    stopped = true
    cancel()
    return running
  }
}
