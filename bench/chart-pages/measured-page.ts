import { sampleBar } from './sample-bars.ts'

/** A page with a chart, controlled by the measurement. */
export interface MeasuredPage {
  /** Creates the chart with `count` candles. Resolves to the milliseconds until they are painted. */
  create: (count: number) => Promise<number>
  /** Sends ten updates per second for `ms`. Resolves to the frames per second drawn in that time. */
  animate: (ms: number) => Promise<number>
}

declare global {
  var measured: MeasuredPage
}

interface Chart {
  make: (element: HTMLElement, count: number) => void
  update: (bar: ReturnType<typeof sampleBar>) => void
}

const UPDATE_MS = 100
/** 20 updates per candle before the next candle begins. */
const UPDATES_IN_BAR = 20

export function offer({ make, update }: Chart): void {
  globalThis.measured = {
    create: async (count) => {
      const element = document.querySelector('main')
      if (element === null) throw new Error('there is no room for a chart')
      const started = performance.now()
      make(element, count)
      await painted()
      return performance.now() - started
    },
    animate: async (ms) => {
      let [frames, updates] = [0, 0]
      const timer = setInterval(() => {
        updates += 1
        update(sampleBar(Math.floor(updates / UPDATES_IN_BAR), updates))
      }, UPDATE_MS)
      const started = performance.now()
      while (performance.now() - started < ms) {
        await new Promise(requestAnimationFrame)
        frames += 1
      }
      clearInterval(timer)
      return (frames * 1_000) / (performance.now() - started)
    },
  }
}

/** The chart draws in the next animation frame. A message posted in that frame arrives after the frame is painted. */
async function painted(): Promise<void> {
  await new Promise(requestAnimationFrame)
  await new Promise<void>((resolve) => {
    const channel = new MessageChannel()
    channel.port1.addEventListener('message', () => resolve())
    channel.port1.start()
    channel.port2.postMessage(null)
  })
}
