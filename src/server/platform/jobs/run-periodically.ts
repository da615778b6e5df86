import type { Clock, Log } from '#server/platform/runtime/ports.ts'

export interface Repeated {
  /** How long to rest before the first run and after each one. */
  readonly pauseMs: () => number
  readonly run: () => Promise<void>
  /** What the log says when a run throws; it is tried again after the next pause. */
  readonly failure: string
}

/** Runs a job again and again until the answer is called, which waits for a run that is under way. */
export function repeat(
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
