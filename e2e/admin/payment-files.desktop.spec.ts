import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { BANK, withPending } from '../pending-withdrawal.ts'
import { openAsStaff } from '../staff.ts'
import { openAs } from '../users.ts'

async function approve(office: Page, site: string, trx: string): Promise<void> {
  await office.goto(`${site}/admin/withdrawals/${trx}`)
  await office.getByRole('button', { name: /^Approve \$/ }).click()
  await expect(office.getByText('Approved. It can be paid now.')).toBeVisible()
}

/**
 * Makes a payment file of all withdrawals that are ready for payment by bank. Returns the part of the page that shows
 * the new file.
 */
async function make(office: Page, site: string, trx: string) {
  await office.goto(`${site}/admin/payment-files`)
  await expect(office.getByRole('listitem').filter({ hasText: /bank/i })).toBeVisible()
  await office.getByRole('listitem').filter({ hasText: /bank/i }).getByRole('button', { name: 'Choose' }).click()
  const pane = office.getByRole('region', { name: 'New payment file' })
  await expect(pane.getByText(trx)).toBeVisible()
  await pane.getByRole('button', { name: /^Make a file of \d+ payment/ }).click()
  await expect(office.getByText('The payment file is ready to download.')).toBeVisible()
  return office.getByRole('region', { name: /, \d+ payments?$/ })
}

test('staff create a payment file, download it, void it, create another one and record all its withdrawals as paid', async ({
  page,
  browser,
  site,
}) => {
  const { user, trx } = await withPending(site, 200, 500, BANK)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx }).first()
  const finance = await openAsStaff(browser, site, 'finance', '/withdrawals')
  const office = finance.page
  await approve(office, site, trx)

  const first = await make(office, site, trx)
  await expect(card.getByText('Being paid').first()).toBeVisible()
  await first.getByRole('button', { name: 'Download CSV' }).click()
  await expect(first.getByText('Enter a reason.')).toBeVisible()
  await first.getByRole('textbox', { name: 'Reason for the download' }).fill('Upload to the bank')
  const saved = office.waitForEvent('download')
  await first.getByRole('button', { name: 'Download CSV' }).click()
  const content = await readFile(await (await saved).path(), 'utf8')
  expect(content).toContain(`${trx},`)
  expect(content).toContain(user.username)

  await first.getByRole('textbox', { name: 'Why nothing was sent' }).fill('The portal refused the file.')
  await first.getByRole('button', { name: 'Nothing was sent' }).click()
  await expect(first.getByText('Check first that the bank')).toBeVisible()
  await first.getByRole('checkbox').check()
  await first.getByRole('button', { name: 'Nothing was sent' }).click()
  await expect(office.getByText('The file is void.')).toBeVisible()
  await expect(card.getByText('Approved, will be paid').first()).toBeVisible()

  const second = await make(office, site, trx)
  await second.getByRole('button', { name: 'All paid' }).click()
  await expect(second.getByText('Enter the reference of the payment.')).toBeVisible()
  await second.getByRole('textbox', { name: 'Reference of the bank' }).fill(`BATCH ${trx}`)
  await second.getByRole('button', { name: 'All paid' }).click()
  await expect(second.getByText(new RegExp(`BATCH ${trx}/\\d+`)).first()).toBeVisible()
  await expect(card.getByText(new RegExp(`BATCH ${trx}/\\d+`))).toBeVisible()
  await expect(office.getByRole('row', { name: /Void/ }).first()).toBeVisible()
  expect(finance.problems.filter((problem) => !problem.includes('422'))).toEqual([])
  await finance.close()
})
