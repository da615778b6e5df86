import { expect, test } from '../fixtures.ts'
import { DepositPage, PICTURE } from '../pages/deposit-page.ts'
import { findCoveredByToast } from '../pages/layout.ts'
import { openAsStaff } from '../staff.ts'
import { createUser, openAs } from '../users.ts'

test('two staff members create a gateway with its own form, and a user fills in the form', async ({
  page,
  browser,
  site,
}) => {
  // In a demo, a minute passes between the second approval and the change.
  const name = `Harbour bank ${Date.now()}`
  const finance = await openAsStaff(browser, site, 'finance', '/gateways')
  const office = finance.page
  await office.getByRole('link', { name: 'New gateway' }).click()
  await office.getByLabel('Name', { exact: true }).fill(name)
  await office.getByLabel('Currency').fill('EUR')
  await office.getByLabel('Minimum').fill('10')
  await office.getByLabel('Maximum', { exact: true }).fill('5000')
  await office.getByLabel('USDT for 1 EUR').fill('1.08')
  await office.getByLabel('Instructions').fill('<p>Pay <b>on time</b>.<img src=x onerror=alert(1)></p>')

  const add = office.getByRole('button', { name: 'Add a field' })
  const card = (label: string) =>
    office.getByRole('listitem').filter({ has: office.getByRole('heading', { name: label }) })
  await add.click()
  await office.getByLabel('Label').last().fill('Network')
  await card('Network').getByLabel('Type').selectOption('select')
  await add.click()
  await office.getByLabel('Label').last().fill('Proof')
  await card('Proof').getByLabel('Type').selectOption('file')
  await add.click()
  await office.getByLabel('Label').last().fill('network')
  await office.getByRole('button', { name: 'Save' }).click()
  // An unusable form shows an error at the field, and nothing is saved.
  await expect(office.getByText('Add at least one choice.')).toBeVisible()
  await expect(office.getByText('Another field has this label. Choose another one.')).toBeVisible()
  await expect(office.getByText('Correct 2 problems in the form first.')).toBeVisible()
  await office.getByLabel('Choices, one per line').fill('SEPA\nSwift')
  await office.getByLabel('Label').last().fill('Account holder')
  await office.getByRole('button', { name: 'Move Account holder up' }).press('Enter')
  await expect(office.getByRole('button', { name: 'Move Account holder up' })).toBeFocused()
  await expect(office.getByRole('complementary').getByLabel('Account holder')).toBeVisible()
  await office.getByRole('button', { name: 'Save' }).click()
  await expect(office).toHaveURL(/\/changes\/[\da-f-]+/)
  await expect(office.getByText('Another approver has to agree.')).toBeVisible()
  const second = await openAsStaff(browser, site, 'finance2', new URL(office.url()).pathname.replace('/admin', ''))
  await second.page.getByRole('button', { name: 'Agree' }).click()
  await expect(second.page.getByText('Any owner can cancel it until then.')).toBeVisible()
  await second.page.getByRole('tab', { name: 'All' }).click()
  await expect(second.page.getByRole('row', { name })).toContainText('In force')
  expect(second.problems).toEqual([])
  await second.close()
  await office.goto(`${site}/admin/gateways?kind=deposit`)
  await office.getByRole('row', { name }).click()
  await expect(office.getByLabel('Instructions')).toHaveValue('Pay **on time**.')

  const user = await createUser(site)
  await openAs(page, user, site, '/deposit')
  const deposit = new DepositPage(page)
  await deposit.choose(name)
  await expect(page.getByText('Pay on time.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Amount' }).fill('100')
  await deposit.submit()
  await expect(page.getByText('Network is Required')).toBeVisible()
  await page.getByLabel('Network').selectOption('SEPA')
  await page.getByLabel('Account holder').fill('Alice Example')
  await deposit.chooseReceipt(PICTURE)
  await deposit.submit()
  await expect(page).toHaveURL(`${site}/market`)

  await office.goto(`${site}/admin/deposits?search=${user.username}`)
  await office.getByRole('row', { name: user.username }).click()
  const detail = office.getByRole('region', { name: /^FW-/ })
  await expect(detail.getByText('SEPA')).toBeVisible()
  await expect(detail.getByText('Alice Example')).toBeVisible()
  await expect(detail.getByRole('img', { name: 'Proof' })).toBeVisible()
  expect(finance.problems).toEqual([])
  await finance.close()
})

test('F73: the message that a gateway was saved covers neither a button nor the bar with the Save button', async ({
  browser,
  site,
}) => {
  const finance = await openAsStaff(browser, site, 'finance', '/gateways/1?kind=deposit')
  const office = finance.page
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 844],
  ] as const) {
    await office.setViewportSize({ width, height })
    const save = office.getByRole('button', { name: 'Save' })
    await save.click()
    // A focused message stays. Without the focus, the message could disappear before the check.
    const dismiss = office.getByRole('button', { name: 'Dismiss' })
    await dismiss.focus()
    await expect(save).toBeInViewport({ ratio: 1 })
    expect(await findCoveredByToast(office), `${width} px wide`).toEqual([])
    await dismiss.click()
  }
  expect(finance.problems).toEqual([])
  await finance.close()
})
