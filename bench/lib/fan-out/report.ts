import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { median } from '../median.ts'
import { machine } from '../pairs.ts'

export function printMachine(title: string): void {
  const date = new Date().toISOString().slice(0, 10)
  console.log(title)
  console.log(`${date}, ${machine()}`)
}

/** Returns the load average of the last minute. */
export function loadNow(): string {
  return loadavg()[0]?.toFixed(1) ?? '?'
}

/** Formats median, minimum and maximum. */
export function spread(values: readonly number[], digits: number): string {
  return [median(values), Math.min(...values), Math.max(...values)]
    .map((value) => value.toFixed(digits).padStart(9))
    .join(' ')
}

/** Returns the processor seconds of a process and its threads so far (Linux). */
export function processorSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const used = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9
}

/** Returns the resident memory of a process in bytes (Linux). */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}
