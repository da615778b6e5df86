import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs a program of this folder as a child process. Each message goes to the latest reader. BENCH_PROFILE names a
 * program that must write a profile of its processor time.
 */
export class Child<Told, Heard> {
  readonly pid: number
  private readonly process: ChildProcess
  private hear: (heard: Heard) => void = () => {}

  constructor(program: string, args: readonly number[] = [], environment: Readonly<Record<string, string>> = {}) {
    this.process = fork(fileURLToPath(new URL(program, import.meta.url)), args.map(String), {
      execArgv: ['--import', 'tsx', ...(process.env['BENCH_PROFILE'] === program ? ['--cpu-prof'] : [])],
      env: { ...process.env, ...environment },
    })
    this.pid = this.process.pid ?? 0
    this.process.on('message', (message) => this.hear(message as Heard))
  }

  tell(told: Told & (object | string)): void {
    this.process.send(told)
  }

  /** Resolves to the first result of `take` that is not null. Other messages are ignored. */
  hears<T>(take: (heard: Heard) => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('a process of the measurement has ended'))
      this.process.once('exit', ended)
      this.hear = (heard) => {
        try {
          const taken = take(heard)
          if (taken === null) return
          this.process.off('exit', ended)
          resolve(taken)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
    })
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    this.process.kill(name)
  }

  /** Disconnects, so that it ends by itself and can write its profile. */
  end(): void {
    if (this.process.connected) this.process.disconnect()
  }
}
