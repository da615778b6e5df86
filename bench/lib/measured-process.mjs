// Preloaded into a program by `node --import`. The program then writes a line to MEASURED_FILE every second, with its
// memory, processor time and event loop delay. Its own code stays unchanged.
import { appendFileSync } from 'node:fs'
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 1_000
const RESOLUTION_MS = 10
const file = process.env.MEASURED_FILE

if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  // Only memory after a full collection is live; between collections, the heap contains garbage.
  let liveBytes = null
  const watch = new PerformanceObserver((list) => {
    const wasFull = list.getEntries().some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
    if (wasFull) liveBytes = process.memoryUsage().heapUsed
  })
  watch.observe({ entryTypes: ['gc'] })
  let before = process.cpuUsage()
  setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    // The histogram contains the interval of its own timer, so the interval is subtracted.
    const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map(
      (ns) => ns / 1e6 - RESOLUTION_MS,
    )
    delay.reset()
    const figures = { at: Date.now(), rss, heapUsed, liveBytes, cpuMs: (user + system) / 1e3, p50, p99, max }
    liveBytes = null
    appendFileSync(file, `${JSON.stringify(figures)}\n`)
  }, EVERY_MS).unref()
}
