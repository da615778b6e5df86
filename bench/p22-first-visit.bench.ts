// P22: a first visit on a basic phone (390 px, processor slowed four times) over a network with 1.6 Mbit/s and 150 ms
// latency. Prints the time to the first and the largest paint, to the first price on the market, the longest task and
// the layout shift. The figures are medians of BENCH_RUNS alternating visits. BENCH_AGAINST names another build's
// address to compare with.
import { cpus } from 'node:os'
import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../scripts/lib/process/ensure-system.mjs'
import { openBenchServer } from './lib/bench-server.ts'
import { median } from './lib/median.ts'

const SLOWER = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
/** 6 s, within which the first screen has loaded all its parts. */
const WATCHED_MS = 6_000
/**
 * The goals: at most this time in ms until the largest paint of each page, and at most this layout shift (the CLS
 * score).
 */
const GOALS: Readonly<Record<string, number>> = { '/': 1_000, '/login': 1_300, '/market': 1_600 }
const MAX_SHIFT = 0.02
const runs = Number(process.env['BENCH_RUNS'] ?? 7)
const against = process.env['BENCH_AGAINST']

const FIGURES = ['first', 'largest', 'price', 'longestTask', 'shift'] as const
type Figures = Record<(typeof FIGURES)[number], number>

const server = await openBenchServer({ DATABASE_URL: '' })
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, Chromium ${browser.version()}, ${runs} runs`)
  const sites = { ...(against !== undefined && { other: against }), own: server.address }
  let isGood = true
  for (const [path, goal] of Object.entries(GOALS)) {
    const visits = Object.keys(sites).map((name) => ({ name, all: [] as Figures[] }))
    for (let run = 0; run < runs; run += 1)
      for (const [at, address] of Object.values(sites).entries())
        visits[at]?.all.push(await visit(browser, address, path))
    for (const { name, all } of visits) {
      const medians = FIGURES.map((figure) => [figure, median(all.map((one) => one[figure]))] as const)
      console.log(
        `${path} ${name}: ${medians.map(([figure, value]) => `${figure} ${Number(value.toFixed(3))}`).join(', ')}`,
      )
      if (name !== 'own') continue
      const { largest = 0, shift = 0 } = Object.fromEntries(medians)
      isGood &&= largest <= goal && shift <= MAX_SHIFT
      console.log(
        `${path}: largest paint ${Math.round(largest)} ms (goal ${goal}), shift ${shift.toFixed(3)} (goal ${MAX_SHIFT})`,
      )
    }
  }
  process.exitCode = isGood ? 0 : 1
} finally {
  await browser.close()
  await server.close()
}

async function visit(from: Browser, address: string, path: string): Promise<Figures> {
  const context = await from.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  // Without this cookie, the app opens the home page at the first navigation of a session, whatever the path is.
  if (path !== '/') await context.addCookies([{ name: 'visited', value: '1', url: address }])
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  // The compiler inserts calls of `__name` into this file. Pages do not have that function.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(watchPage)
  await page.goto(`${address}${path}`)
  await page.waitForTimeout(WATCHED_MS)
  const figures = await page.evaluate(() => (globalThis as unknown as { figures: Figures }).figures)
  await context.close()
  return figures
}

/** Records the figures inside the page. */
function watchPage(): void {
  const figures = { first: 0, largest: 0, price: 0, longestTask: 0, shift: 0 }
  Object.assign(globalThis, { figures })
  const watch = (type: string, each: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') figures.first = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => {
    figures.largest = startTime
  })
  watch('longtask', ({ duration }) => {
    figures.longestTask = Math.max(figures.longestTask, duration)
  })
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) figures.shift += value
  })
  const look = setInterval(() => {
    if (!/\d\.\d{2}/.test(document.body?.innerText ?? '')) return
    figures.price = performance.now()
    clearInterval(look)
  }, 20)
}
