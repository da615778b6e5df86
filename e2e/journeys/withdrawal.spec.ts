import { expect, test } from '../fixtures.ts'
import { WithdrawPage } from '../pages/withdraw-page.ts'
import { PIN, withPending } from '../pending-withdrawal.ts'
import { createUser, openAs } from '../users.ts'

// Browsers report in the console that the PIN and the details need a confirmation.
test.use({ allowedProblems: [/422/] })

test('a user without PIN and details gets a withdrawal paid', async ({ page, site, operator }) => {
  const user = await createUser(site, { funds: 500 })
  await openAs(page, user, site, '/wallet')
  const withdraw = new WithdrawPage(page)

  await page.getByRole('main').getByRole('link', { name: 'Withdraw', exact: true }).click()
  await expect(page).toHaveURL(/\/account\/withdraw-pin\?redirect=withdraw$/)
  await expect(page.getByText('Set a withdrawal PIN first.')).toBeVisible()
  await withdraw.setPin(PIN, user.password)

  await expect(page).toHaveURL(/\/withdraw$/)
  await withdraw.choose('Bank transfer')
  await expect(page).toHaveURL(/\/account\/payment-method\/101\?redirect=withdraw$/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Account holder is Required')).toBeVisible()
  await withdraw.saveBankDetails('New Comer')

  await expect(page).toHaveURL(/\/withdraw\?method=101$/)
  await expect(page.getByRole('button', { name: 'Change the withdrawal method, now Bank transfer' })).toBeVisible()
  await expect(page.getByText('New Comer')).toBeVisible()
  await withdraw.ask('600', PIN)
  await expect(page.getByText('Insufficient Balance')).toBeVisible()
  await withdraw.ask('49', PIN)
  await expect(page.getByText('Minimum Amount is 50.00 USDT')).toBeVisible()
  await withdraw.ask('100', PIN)
  const trx = await withdraw.reference()
  await expect(page.getByText('$100.00')).toBeVisible()

  await page.getByRole('link', { name: 'Back to wallet' }).click()
  await expect(page.getByText('$100.00 pending')).toBeVisible()
  await page.getByRole('link', { name: /^Withdrawal\b.*pending/ }).click()
  const card = page.getByRole('listitem').filter({ hasText: trx })
  await expect(card.getByText('Waiting for approval').first()).toBeVisible()
  await expect(card.getByText('To be paid 94.50 USD')).toBeVisible()

  expect(await operator('withdrawals', 'list', '--pending')).toContain(trx)
  await operator('withdrawals', 'approve', trx, '--reason', 'Another user of the tests has this account.')
  await operator('withdrawals', 'pay', trx)
  await operator('withdrawals', 'paid', trx, '--reference', 'B-2026-7')
  await expect(card.getByText('B-2026-7')).toBeVisible()
  await expect(card.getByText('Paid 94.50 USD')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByText('$400.00').first()).toBeVisible()
  await expect(page.getByText(/pending/)).toHaveCount(0)
})

test("SC44: a rejected withdrawal returns to the balance, with the operator's reason", async ({
  page,
  site,
  operator,
}) => {
  const { user, trx } = await withPending(site, 200)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx })
  await expect(card.getByText('Waiting for approval').first()).toBeVisible()

  const words = 'This address is on another network.'
  await operator('withdrawals', 'reject', trx, '--words', words, '--reason', 'details_wrong')
  await expect(card.getByText('Rejected').first()).toBeVisible()
  await expect(card.getByText(words)).toBeVisible()
  await expect(card.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0)
  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$500.00').first()).toBeVisible()
})

test('a pending withdrawal can be cancelled after a confirmation', async ({ page, site }) => {
  const { user, trx } = await withPending(site, 200)
  await openAs(page, user, site, '/history/withdrawal')
  const card = page.getByRole('listitem').filter({ hasText: trx })
  await card.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Keep withdrawal' }).click()
  await expect(card.getByText('Waiting for approval').first()).toBeVisible()

  await card.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel withdrawal' }).click()
  await expect(page.getByText('$200.00 is back in your balance')).toBeVisible()
  await expect(card.getByText('Cancelled').first()).toBeVisible()
  await page.goto(`${site}/wallet`)
  await expect(page.getByText('$500.00').first()).toBeVisible()
})

test('SC43: while withdrawals are closed, their page shows only the reason', async ({ page, startServer }) => {
  const server = await startServer()
  // Deposits are closed while withdrawals are closed.
  const user = await createUser(server.address, { funds: 500 })
  await server.admin('settings', 'set', 'withdraw_reason', '"Paused while our bank is changed."')
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await server.admin('settings', 'set', 'withdrawals_closed_until', JSON.stringify(until))
  await server.admin('settings', 'set', 'withdrawals_open', 'false')
  await openAs(page, user, server.address, '/withdraw')
  await expect(page.getByRole('alert')).toContainText('Paused while our bank is changed. Withdrawals open again by')
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page).toHaveURL(/\/withdraw$/)

  await server.admin('settings', 'set', 'withdrawals_open', 'true')
  await page.reload()
  await expect(page).toHaveURL(/\/account\/withdraw-pin\?redirect=withdraw$/)
})

test.describe('a wrong PIN', () => {
  test.use({ allowedProblems: [/422|429/] })

  test('a wrong PIN keeps the form, and five wrong PINs lock the PIN', async ({ page, site }) => {
    const { user } = await withPending(site, 20)
    await openAs(page, user, site, '/withdraw')
    const withdraw = new WithdrawPage(page)
    for (let turn = 0; turn < 5; turn += 1) {
      await withdraw.ask('50', '999999')
      await expect(page.getByRole('alert')).toContainText('Wrong PIN')
      await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('50')
      await expect(page.getByRole('textbox', { name: 'Withdrawal PIN' })).toHaveValue('')
    }
    await withdraw.ask('50', PIN)
    await expect(page.getByRole('alert')).toContainText('The PIN is locked after too many wrong attempts')
  })
})
