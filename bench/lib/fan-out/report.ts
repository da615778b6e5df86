import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { median } from '../median.ts'
import { machine } from '../pairs.ts'

export function printMachine(title: string): void {
  const date = new Date().toISOString().slice(0, 10)
  console.log(title)
  console.log(`${date}, ${machine()}`)
}

/** Of the last minute. */
export function loadNow(): string {
  return loadavg()[0]?.toFixed(1) ?? '?'
}

/** Median, least, most. */
export function spread(values: readonly number[], digits: number): string {
  return [median(values), Math.min(...values), Math.max(...values)]
    .map((value) => value.toFixed(digits).padStart(9))
    .join(' ')
}

/** What a process with all its threads has used of the processors so far, by Linux. */
export function processorSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const used = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9
}

/** Memory of a process that is in use, in bytes, by Linux. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}
