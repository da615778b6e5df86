import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a program of this folder as a child process. Each message from the program goes to the newest caller of `hears`.
 * BENCH_PROFILE names a program that must write a profile of its processor time.
 */
export class Child<Outgoing, Incoming> {
  readonly pid: number
  private readonly process: ChildProcess
  private hear: (message: Incoming) => void = () => {}

  constructor(program: string, args: readonly number[] = [], environment: Readonly<Record<string, string>> = {}) {
    this.process = fork(fileURLToPath(new URL(program, import.meta.url)), args.map(String), {
      execArgv: ['--import', 'tsx', ...(process.env['BENCH_PROFILE'] === program ? ['--cpu-prof'] : [])],
      env: { ...process.env, ...environment },
    })
    this.pid = this.process.pid ?? 0
    this.process.on('message', (message) => this.hear(message as Incoming))
  }

  tell(message: Outgoing & (object | string)): void {
    this.process.send(message)
  }

  /** Passes each message to `take` and resolves to the first result that is not null. Other messages are ignored. */
  hears<T>(take: (message: Incoming) => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('a process of the measurement has ended'))
      this.process.once('exit', onExit)
      this.hear = (message) => {
        try {
          const result = take(message)
          if (result === null) return
          this.process.off('exit', onExit)
          resolve(result)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
    })
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.process.kill(name)
  }

  /** Disconnects the program, so that it ends by itself and can write its profile. */
  end(): void {
    if (this.process.connected) this.process.disconnect()
  }
}
