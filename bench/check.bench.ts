// Measures how long the first check of a receipt takes in a browser, from the downloaded text to the verdict. The
// processor is slowed four times, as on a basic phone. Goal and gate: 300 ms of processor time, as elapsed time
// includes other load of the machine. Checks a typical order on a busy tick log, and a void order. The void order shows
// the most ticks, and has no gate. The figures are medians. BENCH_RUNS sets the number of pages per order.
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type CDPSession, chromium } from '@playwright/test'
import { build } from 'vite'
import { splitTexts } from '../scripts/lib/split-texts.ts'
import { busyOrder } from './lib/busy-order.ts'
import { median } from './lib/median.ts'
import { findChromium } from '../scripts/lib/process/ensure-system.mjs'

const SLOWER = 4
const MAX_CHECK_MS = 300
const runs = Number(process.env['BENCH_RUNS'] ?? 7)

const outDir = mkdtempSync(join(tmpdir(), 'fairwick-bench-'))
try {
  await build({
    root: fileURLToPath(new URL('chart-pages', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [splitTexts()],
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: fileURLToPath(new URL('chart-pages/check.html', import.meta.url)) },
    },
  })
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
    // Answers 404 to other requests, such as the icon.
    if (!existsSync(join(outDir, path))) response.writeHead(404).end()
    else response.end(readFileSync(join(outDir, path)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check.html`
  const executablePath = findChromium()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const load = loadavg()[0]?.toFixed(1)
    console.log(
      `${cpus().length} × ${cpus()[0]?.model ?? '?'}, load ${load}, Chromium ${browser.version()}, ${runs} pages`,
    )
    for (const isVoid of [false, true]) {
      const { text, ticks } = busyOrder({ isVoid })
      const times: { ms: number; own: number }[] = []
      for (let run = 0; run < runs; run += 1) times.push(await check(browser, address, text))
      const [own, onClock] = [median(times.map((time) => time.own)), median(times.map(({ ms }) => ms))]
      const quickest = Math.min(...times.map(({ ms }) => ms))
      console.log(
        `${isVoid ? 'void' : 'usual'}: ${ticks} prices, ${Math.round(text.length / 1024)} KB: ${own.toFixed(0)} ms of the slowed processor (goal ${MAX_CHECK_MS}), ${onClock.toFixed(0)} ms on the clock (quickest ${quickest.toFixed(0)})`,
      )
      if (!isVoid && own > MAX_CHECK_MS) process.exitCode = 1
    }
  } finally {
    await browser.close()
    server.close()
  }
} finally {
  rmSync(outDir, { recursive: true, force: true })
}

/** Processor time of the page's thread in ms, with the set slowdown. Other load of the machine is not included. */
async function onProcessor(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
}

async function check(browser: Browser, address: string, text: string): Promise<{ ms: number; own: number }> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  try {
    await page.goto(address)
    await page.waitForFunction(() => 'checkReceiptOf' in globalThis)
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const before = await onProcessor(session)
    const { ms, faults, result } = await page.evaluate((file) => globalThis.checkReceiptOf(file), text)
    if (faults.length > 0) throw new Error(`an honest receipt does not check out: ${faults.join(', ')}, ${result}`)
    return { ms, own: (await onProcessor(session)) - before }
  } finally {
    await page.close()
  }
}
