import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { DepositPage, PICTURE } from '../pages/deposit-page.ts'
import { createUser, openAs } from '../users.ts'

const MEGABYTE = 1_048_576

test('SC47: an approved deposit with a proof of payment updates its open page', async ({ page, startServer }) => {
  const server = await startServer()
  await openAs(page, await createUser(server.address), server.address, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.fillInTransfer('100', PICTURE)
  await expect(page.getByText('transfer.png')).toBeVisible()
  await expect(page.getByText('102.50 EUR')).toBeVisible()
  await expect(page.getByText('$108.0000')).toBeVisible()
  await deposit.submit()
  await expect(page.getByText('Deposit of $108.00 sent. It is credited once approved.')).toBeVisible()
  await expect(page).toHaveURL(/\/market$/)
  expect(readdirSync(join(server.data.folder, 'uploads'))).toHaveLength(1)

  await openHistory(page)
  await expect(deposit.newest.getByText('Waiting for your payment')).toBeVisible()
  const trx = await deposit.reference()
  const folder = server.data.folder
  const arrived = await npmRunAdmin(folder, ['deposits', 'arrived', trx, '--amount', '102.50', '--reference', 'B-1'])
  expect(arrived).toContain('102.50 EUR arrived')
  await expect(deposit.newest.getByText('Payment seen')).toBeVisible()
  const admin = await npmRunAdmin(server.data.folder, ['deposits', 'approve', trx, '--remark', 'Thank you, Alice.'])
  expect(admin).toContain(`${trx} is approved: 108.00 USDT credited`)
  await expect(deposit.newest.getByText('Success')).toBeVisible()
  await expect(deposit.newest.getByText('Thank you, Alice.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByText('$108.00').first()).toBeVisible()
})

test('a rejected deposit credits nothing and shows why', async ({ page, site, operator }) => {
  await openAs(page, await createUser(site), site, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.fillInTransfer('50', {
    name: 'paper.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n%%EOF'),
  })
  await deposit.submit()
  await expect(page).toHaveURL(/\/market$/)
  await openHistory(page)
  await operator('deposits', 'reject', await deposit.reference(), '--words', 'No payment with this name arrived.')
  await expect(deposit.newest.getByText('Rejected')).toBeVisible()
  await expect(deposit.newest.getByText('No payment with this name arrived.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByText('$0.00').first()).toBeVisible()
})

test('a file that is too large or of the wrong type is refused before sending', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/deposit')
  const deposit = new DepositPage(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/user/deposits/save')) sent.push(request.url())
  })
  await deposit.fillInTransfer('100', { ...PICTURE, buffer: Buffer.from('<html>not a picture</html>') })
  await expect(page.getByText('This type of file cannot be used. Send one of: JPEG, PNG, WEBP, PDF.')).toBeVisible()
  await deposit.submit()
  await expect(deposit.receipt).toBeFocused()

  await deposit.chooseReceipt({ ...PICTURE, buffer: Buffer.concat([PICTURE.buffer, Buffer.alloc(9 * MEGABYTE)]) })
  await expect(page.getByText('The file is larger than 8 MB.')).toBeVisible()
  await deposit.submit()
  await expect(deposit.receipt).toBeFocused()

  await page.getByRole('button', { name: 'Remove Receipt' }).click()
  await deposit.submit()
  await expect(page.getByText('Receipt is Required')).toBeVisible()
  expect(sent).toEqual([])
})

test('SC46: users can copy the wallet address, and bitcoin deposits use the live price', async ({ page, site }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, await createUser(site), site, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.choose('Bitcoin')
  await expect(page.getByText('Live price, fixed when you submit.')).toBeVisible()
  await expect(page.getByText(/^Rate 1 BTC = [\d,]{5,}\.\d{4} USDT$/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
  // The field drops a typed letter. It would keep a pasted text and show why the text is wrong.
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await amount.pressSequentially('1x2')
  await expect(amount).toHaveValue('12')
})

test('SC45: while deposits are closed, their pages redirect to the wallet', async ({ page, startServer }) => {
  const server = await startServer()
  await server.admin('settings', 'set', 'deposits_open', 'false')
  await openAs(page, await createUser(server.address), server.address, '/deposit')
  await expect(page).toHaveURL(/\/wallet$/)
  await expect(page.getByRole('main').getByRole('link', { name: 'Withdraw', exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Deposit' })).toHaveCount(0)
  await page.goto(`${server.address}/history/deposit`)
  await expect(page).toHaveURL(/\/wallet$/)
})

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Wallet', exact: true }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Deposit/ })
    .last()
    .click()
  await expect(page).toHaveURL(/\/history\/deposit$/)
}

/** Runs the command as an operator types it. */
async function npmRunAdmin(dataDir: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'admin', '--', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], FAIRWICK_DATA_DIR: dataDir },
  })
  return stdout
}
