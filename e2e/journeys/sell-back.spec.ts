import { calls } from '#contract/calls.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { SaleRun } from '#test/support/sale-run.ts'
import { rememberDemoKey } from '#test/support/server-process.ts'
import { TEST_PASSWORD } from '#test/support/test-app.ts'
import { choose } from '../choose.ts'
import { test as base } from '../database-fixture.ts'
import { expect } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { takePicture } from '../take-picture.ts'
import { openAs } from '../users.ts'

/**
 * Runs the whole server in this process. The 20 minutes of prices that a sale needs take only as long as their
 * computation.
 */
const test = base.extend<{ run: SaleRun }>({
  run: [
    async ({ database }, use) => {
      const run = await SaleRun.start(database)
      await use(run)
      await run.app.stop()
    },
    { auto: true },
  ],
})

test('the owner announces that orders can be sold back, a user sells one, and anyone can check the sale', async ({
  page,
  browser,
  run,
  database,
}) => {
  const { app } = run
  const address = await app.start()
  rememberDemoKey(address, app.demoKey?.text ?? '')
  await run.calm(300)

  const owner = await openAsStaff(browser, address, 'owner', '/symbols/BTC')
  const office = owner.page
  await office
    .getByLabel('Change', { exact: true })
    .selectOption({ label: 'Selling back: fee in percent of the stake' })
  await office.getByLabel('New value').fill('4')
  await office.getByRole('button', { name: 'Announce' }).click()
  await expect(office.getByText(/no calibration of the last seven days/)).toBeVisible()
  await run.report()
  await office.getByRole('button', { name: 'Announce' }).click()
  await expect(office.getByText(/^Announced\. Applies from/)).toBeVisible()
  // The browser reports the 422 reply of the server in the console.
  expect(owner.problems).toEqual([expect.stringContaining('422')])
  await owner.close()
  await app.publishTerms()
  await run.calm(20)

  const id = await run.place()
  const { trx } = await run.tradeOf(id)
  await run.calm(4)
  const session = (await app.call(calls.login, { body: { username: 'alice', password: TEST_PASSWORD } })).body.data
  if (!('token' in session)) throw new Error('a second step was required')
  const end = run.live()
  await openAs(page, { username: 'alice', password: TEST_PASSWORD, email: '', session }, address, '/trade/BTC')
  await page.getByRole('button', { name: /1 order running/ }).click()
  await page.getByRole('button', { name: /^Sell back · about \$/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Sell the order back' })
  await expect(sheet.getByLabel('Sell for at least')).toHaveValue(/^\d+\.\d\d$/)
  await sheet.getByRole('button', { name: 'Sell back' }).click()
  await expect(page.getByText('Selling at the next price…')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Sold back' })).toBeVisible()
  // The server signs the receipt shortly after the sale.
  const receipt = () => app.call(calls.proofReceipt, { params: { trx } })
  await expect.poll(async () => (await receipt()).status).toBe(200)
  await end()
  expect((await run.tradeOf(id)).result).toBe(5)
  expect(await checkLedger(database.db)).toMatchObject({ clean: true, openOrders: 0 })

  await page.goto(`${address}/check/${trx}`)
  await expect(page.getByRole('status').filter({ hasText: 'Recalculated here: sold back' })).toBeVisible()

  await page.getByRole('button', { name: 'Make a picture' }).click()
  const picture = page.getByRole('dialog', { name: 'Picture of this result' })
  await expect(
    picture.getByRole('img', { name: /Checked\. Recalculated here: sold back\..*Sold back: [\d,.]+/ }),
  ).toBeVisible()
  await expect(picture.getByRole('checkbox')).toHaveCount(0)
  await takePicture(page, 'picture of a sale')

  await page.goto(`${address}/history/transaction`)
  await page.getByRole('tab', { name: 'Closed' }).click()
  await choose(page.getByRole('radio', { name: 'Sold back' }))
  await expect(page.getByRole('list', { name: 'Closed' }).getByRole('listitem')).toHaveCount(1)
  await takePicture(page, 'history of sold orders')

  // Once more by keyboard, on the smallest screen and from right to left.
  const again = await run.place()
  await run.calm(4)
  const endAgain = run.live()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(() => localStorage.setItem('lang', 'ar'))
  await page.goto(`${address}/trade/BTC`)
  await page.getByRole('button', { name: /عرض الصفقة الجارية/ }).press('Enter')
  await page.getByRole('button', { name: /^إعادة البيع · نحو/ }).press('Enter')
  const arabic = page.getByRole('dialog', { name: 'إعادة بيع الصفقة' })
  const least = arabic.getByLabel('البيع بما لا يقل عن')
  await expect(least).toHaveValue(/^\d+\.\d\d$/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await takePicture(page, 'sale at 320 px in Arabic')
  await least.focus()
  await page.keyboard.press('Tab')
  await expect(arabic.getByRole('button', { name: 'الاحتفاظ بالصفقة' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(arabic.getByRole('button', { name: 'إعادة البيع' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(arabic).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'أُعيد بيعه' })).toBeVisible()
  await endAgain()
  // The page must not look for a server that has stopped.
  await page.close()
  expect((await run.tradeOf(again)).result).toBe(5)
})
