// Compares our chart with the bare library, on two pages of one build, with the processor slowed four times, as on a
// basic phone. Measures the time until 1,000 candles are painted, and the frames per second at ten updates per second.
// Goal: our chart takes at most 1.5 times as long as the bare library (gate: 3 times), and draws at least 55 frames per
// second. The pages alternate, and the figures are medians. BENCH_PAIRS sets the number of pairs.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { build } from 'vite'
import { splitTexts } from '../scripts/lib/split-texts.ts'
import { median } from './lib/median.ts'
import { findChromium } from '../scripts/lib/process/ensure-system.mjs'

const CANDLES = 1_000
const SLOWER = 4
const ANIMATED_MS = 4_000
const [GOAL, GATE, MIN_FRAMES] = [1.5, 3, 55]
const pairs = Number(process.env['BENCH_PAIRS'] ?? 9)
const PAGES = ['bare', 'ours'] as const
type PageName = (typeof PAGES)[number]
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

const outDir = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
try {
  await build({
    root: fileURLToPath(new URL('chart-pages', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [splitTexts()],
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: PAGES.map((name) => pageFile(name)) } },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = join(outDir, path)
    if (!existsSync(file)) response.writeHead(404).end()
    else
      response
        .setHeader('content-type', TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
        .end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const executablePath = findChromium()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    process.exitCode = (await compare(browser, server)) ? 0 : 1
  } finally {
    await browser.close()
    server.close()
  }
} finally {
  rmSync(outDir, { recursive: true, force: true })
}

async function compare(browser: Browser, server: Server): Promise<boolean> {
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? '?'}, Chromium ${browser.version()}, ${pairs} pairs`)
  const times: Record<PageName, number[]> = { bare: [], ours: [] }
  const frames: Record<PageName, number[]> = { bare: [], ours: [] }
  // The first pair warms up shared parts and is not counted.
  for (let pair = 0; pair <= pairs; pair += 1) {
    for (const name of pair % 2 === 0 ? PAGES : PAGES.toReversed()) {
      const measured = await measure(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}.html`)
      if (pair === 0) continue
      times[name].push(measured.ms)
      frames[name].push(measured.frames)
    }
  }
  for (const name of PAGES) {
    const spread = `${Math.min(...times[name]).toFixed(1)} to ${Math.max(...times[name]).toFixed(1)}`
    console.log(
      `${name}: ${median(times[name]).toFixed(1)} ms to paint ${CANDLES} candles (${spread}), ${median(frames[name]).toFixed(1)} frames/s`,
    )
  }
  const ratio = median(times.ours.map((ms, index) => ms / (times.bare[index] ?? Number.NaN)))
  const rate = median(frames.ours)
  // On a busy machine even the bare page misses the goal. In that case the frame rate of the bare page sets the
  // requirement.
  const wanted = Math.min(MIN_FRAMES, median(frames.bare) * 0.9)
  console.log(
    `ratio ${ratio.toFixed(2)} (goal ${GOAL}, gate ${GATE}); ${rate.toFixed(1)} frames/s (goal ${MIN_FRAMES}, here ${wanted.toFixed(1)})`,
  )
  return ratio <= GATE && rate >= wanted
}

async function measure(browser: Browser, address: string): Promise<{ ms: number; frames: number }> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  try {
    await page.goto(address)
    await page.waitForFunction(() => 'measured' in globalThis)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const ms = await page.evaluate((count) => globalThis.measured.create(count), CANDLES)
    const frames = await page.evaluate((length) => globalThis.measured.animate(length), ANIMATED_MS)
    return { ms, frames }
  } finally {
    await page.close()
  }
}

function pageFile(name: PageName): string {
  return fileURLToPath(new URL(`chart-pages/${name}.html`, import.meta.url))
}
