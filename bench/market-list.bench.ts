// P26: the market list of 500 crypto symbols with live prices, on a basic phone (390 px, processor slowed four times).
// Scrolls the list and taps the heads of its columns. Prints the rows in the page, the prices drawn per second, the
// longest task, and the longest time from a tap to the next paint. Goal: tasks of at most 100 ms, taps of at most 200
// ms.
import { cpus } from 'node:os'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { Client } from 'pg'
import { findChromium } from '../scripts/lib/process/ensure-system.mjs'
import { openBenchServer } from './lib/bench-server.ts'

const SYMBOLS = 500
const SLOWER = 4
/** 3 s, within which the first screen has loaded all its parts. */
const LOADED_AFTER_MS = 3_000
/** The scroll gesture of a flinging thumb: 12,000 px at 4,000 px a second. */
const SCROLL = { yDistance: -12_000, speed: 4_000 }
const [MAX_TASK_MS, MAX_TAP_MS] = [100, 200]

interface Figures {
  longestTask: number
  longestTap: number
  prices: number
}

await (await openBenchServer()).close()
await addSymbols()
const server = await openBenchServer()
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  await context.addCookies([{ name: 'visited', value: '1', url: server.address }])
  const page = await context.newPage()
  // The compiler inserts calls of `__name` into this file. Pages do not have that function.
  await page.addInitScript('globalThis.__name = (named) => named')
  await page.addInitScript(watchPage)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(`${server.address}/market`)
  await page.getByRole('listitem').first().waitFor()
  await page.waitForTimeout(LOADED_AFTER_MS)
  await page.evaluate(() => Object.assign(globalThis, { figures: { longestTask: 0, longestTap: 0, prices: 0 } }))
  const started = performance.now()
  await use(page, devtools)
  const seconds = (performance.now() - started) / 1_000
  const figures = await page.evaluate(() => (globalThis as unknown as { figures: Figures }).figures)
  const rows = await page.getByRole('listitem').count()
  const { longestTask, longestTap, prices } = figures
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, Chromium ${browser.version()}`)
  console.log(`${rows} rows in the page, ${Math.round(prices / seconds)} prices drawn a second`)
  console.log(`longest task ${Math.round(longestTask)} ms (goal ${MAX_TASK_MS})`)
  console.log(`longest tap ${Math.round(longestTap)} ms (goal ${MAX_TAP_MS})`)
  process.exitCode = longestTask <= MAX_TASK_MS && longestTap <= MAX_TAP_MS ? 0 : 1
} finally {
  await browser.close()
  await server.close()
}

/** Scrolls through the list and taps the heads of its columns. */
async function use(page: Page, devtools: CDPSession): Promise<void> {
  await devtools.send('Input.synthesizeScrollGesture', { x: 195, y: 600, ...SCROLL, gestureSourceType: 'touch' })
  await page.evaluate(() => scrollTo(0, 0))
  for (const name of [/price/i, /change/i, /price/i, /change/i]) {
    await page.getByRole('button', { name }).first().tap()
    await page.waitForTimeout(500)
  }
}

/** Adds simulated crypto symbols to the catalogue up to `SYMBOLS`. */
async function addSymbols(): Promise<void> {
  const client = new Client({ connectionString: process.env['BENCH_DATABASE_URL'] ?? '' })
  await client.connect()
  await client.query(
    `insert into market_symbol (id, code, name, market_type, decimals, max_tick_age_ms, color, sort)
     select 1000 + i, 'S' || i, 'Symbol ' || i, 'crypto', 2, 5000, '#7c5cff', 1000 + i
     from generate_series((select count(*) + 1 from market_symbol where market_type = 'crypto'), $1::int4) i`,
    [SYMBOLS],
  )
  await client.end()
}

/** Records the figures inside the page. */
function watchPage(): void {
  const own = globalThis as unknown as { figures: Figures }
  own.figures = { longestTask: 0, longestTap: 0, prices: 0 }
  const watch = (options: PerformanceObserverInit, each: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe(options)
  watch({ type: 'longtask' }, ({ duration }) => {
    own.figures.longestTask = Math.max(own.figures.longestTask, duration)
  })
  watch({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit, ({ name, duration }) => {
    if (name === 'click') own.figures.longestTap = Math.max(own.figures.longestTap, duration)
  })
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((changes) => {
      own.figures.prices += changes.length
    }).observe(document.body, { characterData: true, subtree: true, childList: true })
  })
}
