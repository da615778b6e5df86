import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { calls } from '#contract/calls.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { money } from '#core/money/money.ts'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { assert } from '#core/result.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { createTestApp, type TestApp, TEST_PASSWORD } from '#test/support/test-app.ts'
import { test as base } from '../database-fixture.ts'
import { expect } from '../fixtures.ts'
import { openAs } from '../users.ts'

/**
 * Runs the whole server in this process. The test sets the server's clock, so a minute of prices takes only as long as
 * its computation. The test can also access the server's database.
 */
const test = base.extend<{ app: TestApp }>({
  app: [
    async ({ database }, use) => {
      const symbols = CATALOGUE.filter(({ code }) => code === 'BTC')
      const app = await createTestApp(database, {
        feedOn: (clock) => createSyntheticFeed({ clock, seed: 'checked', symbols }),
      })
      await use(app)
      await app.stop()
    },
    { auto: true },
  ],
})

async function pass(app: TestApp, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    app.ctx.clock.advance(SECOND_MS)
    const now = app.ctx.now()
    // The server refuses orders while a price has been waiting for 1 s or longer to be written to the log.
    const waited = () => now - (app.ticks.waitingSince(BTC.id) ?? now)
    await expect.poll(waited, { intervals: [2] }).toBeLessThan(SECOND_MS)
    await app.engine.settleDue()
  }
  await app.receipts.idle()
}

/** Places an order with a duration of one minute and waits until it is settled. Returns its reference (`trx`). */
async function settledOrder(app: TestApp, userId: string): Promise<string> {
  await pass(app, 3)
  const placed = await app.engine.place(orderRequest(userId, 'checked', { stake: money(1_000n) }))
  assert(placed.ok, 'placed')
  await pass(app, 65)
  return placed.value.trx
}

async function factsOf(app: TestApp, trx: string): Promise<ResultFacts & { exit: { q: number } }> {
  const { result } = (await app.call(calls.proofReceipt, { params: { trx } })).body.data
  return JSON.parse(result?.facts ?? '') as ResultFacts & { exit: { q: number } }
}

const matches = (page: Page) => page.getByRole('status').filter({ hasText: 'Matches the stored result' })
const alarm = (page: Page) => page.getByRole('alert').filter({ hasText: 'This does not match!' })

test('anyone can check a result from the history, and a manipulated stored price raises an alert', async ({
  page,
  app,
  database,
}, testInfo) => {
  const user = await app.verifiedUser('ada')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: 1 } })
  const address = await app.start()
  const trx = await settledOrder(app, user.id)
  const session = (await app.call(calls.login, { body: { username: 'ada', password: TEST_PASSWORD } })).body.data
  if (!('token' in session)) throw new Error('a second step was required')
  await openAs(page, { username: 'ada', password: TEST_PASSWORD, email: '', session }, address, '/history/transaction')
  await page.getByRole('tab', { name: 'Closed' }).click()
  await page.getByRole('link', { name: `Check this result ${trx}` }).click()
  await expect(matches(page)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Exit' }).last()).toBeVisible()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const savedFile = testInfo.outputPath('kept.json')
  await download.saveAs(savedFile)

  // A change that anyone with the database password can make.
  const { exit, entry } = await factsOf(app, trx)
  await database.asOwner(async (db) => {
    const line = `(^|\\n)(t ${exit.q} \\d+) \\d+ `
    await sql`update tick_batch set payload = regexp_replace(payload, ${line}, '\\1\\2 1 ')
      where first_seq <= ${exit.q}::int8 and last_seq >= ${exit.q}::int8`.execute(db)
    return undefined
  })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(alarm(page)).toContainText('The price log was changed: from position')
  await expect(matches(page)).toHaveCount(0)
  // The alert also appears to anyone who opens the link now.
  await page.goto(`${address}/check/${trx}`)
  await expect(alarm(page)).toContainText('The price log was changed: from position')

  // A downloaded file still has the original receipt, so a manipulated copy is detected too.
  await page.goto(`${address}/check`)
  const drop = page.getByLabel('Choose or drop a file')
  await drop.setInputFiles(savedFile)
  await expect(matches(page)).toBeVisible()
  const text = readFileSync(savedFile, 'utf8')
  for (const [from, to, words] of [
    [`\\"price\\":${entry.price}`, `\\"price\\":${entry.price - 1}`, 'The facts are not the ones that were signed.'],
    ['\\"stake\\":\\"1000\\"', '\\"stake\\":\\"9000\\"', 'The stake shown does not belong to this order.'],
  ] as const) {
    expect(text).toContain(from)
    const changed = testInfo.outputPath('changed.json')
    writeFileSync(changed, text.replaceAll(from, to))
    await page.getByRole('button', { name: 'Remove the file' }).click()
    await drop.setInputFiles(changed)
    await expect(alarm(page)).toContainText(words)
  }
  const cut = testInfo.outputPath('cut.json')
  writeFileSync(cut, text.slice(0, -100))
  await page.getByRole('button', { name: 'Remove the file' }).click()
  await drop.setInputFiles(cut)
  await expect(page.getByText('The file is cut off or is not JSON.')).toBeVisible()
  await expect(matches(page)).toHaveCount(0)
})

test('the browser makes a picture of 1200 × 630 pixels of a checked result, and uploads nothing', async ({
  page,
  app,
}, testInfo) => {
  const user = await app.verifiedUser('ada')
  await app.call(calls.saveDeposit, { token: user.token, body: { amount: 100, method_id: 1 } })
  const address = await app.start()
  const trx = await settledOrder(app, user.id)
  await page.goto(`${address}/check/${trx}`)
  await expect(matches(page)).toBeVisible()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    await page.getByRole('button', { name: 'Make a picture' }).click()
    const sheet = page.getByRole('dialog', { name: 'Picture of this result' })
    await expect(sheet.getByRole('img', { name: new RegExp(trx) })).toBeVisible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Save picture' }).click(),
    ])
    const file = testInfo.outputPath(`${theme}.png`)
    await download.saveAs(file)
    const picture = readFileSync(file)
    const { width, height } = await sharp(picture).metadata()
    expect([width, height]).toEqual([1200, 630])
    // The demo's note covers the lower edge of the picture. The code is on white in both themes.
    const pixels = await sharp(picture).removeAlpha().raw().toBuffer()
    const at = (x: number, y: number) => [...pixels.subarray((y * 1200 + x) * 3, (y * 1200 + x) * 3 + 3)]
    expect(at(1_000, 625)).not.toEqual(at(1_000, 300))
    expect(at(1_133, 320)).toEqual([255, 255, 255])
    expect(at(600, 20)).toEqual(theme === 'light' ? [255, 255, 255] : at(20, 300))
    await sheet.getByRole('button', { name: 'Close' }).click()
  }
  expect(sent).toEqual([])
})
