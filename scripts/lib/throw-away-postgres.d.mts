export interface ThrowAwayPostgres {
  readonly url: string
  readonly socketUrl: string
  /** Where its files are. */
  readonly data: string
  /** Shifts the clock of one with `hasOwnClock`, within a second. */
  shiftClock(ms: number): void
  /** Ends it and removes its files. */
  stop(): void
  crash(): void
  start(): void
  /** The same, where it has ended by itself. */
  startUnlessRunning(): void
  call(program: string, args: readonly string[]): { readonly status: number | null; readonly stderr: string }
  /** The same without blocking this process. Resolves to the exit code. */
  callMeanwhile(program: string, args: readonly string[]): Promise<number | null>
  /** Another one, on the files that `take` puts into the folder it is given. */
  restored(take: (data: string) => void): Promise<ThrowAwayPostgres>
}

export function startThrowAwayPostgres(options?: {
  isDurable?: boolean
  isLarge?: boolean
  hasOwnClock?: boolean
}): Promise<ThrowAwayPostgres>
