import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { confirm } from '../pages/confirmation.ts'
import { createUser, newestCode, openAs } from '../users.ts'

// Browsers report in the console that a new username needs a confirmation.
test.use({ allowedProblems: [/422/] })

/** Screens of the user's account. */

test("RT10, SC20: the account shows the user's identity and links to its pages", async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account')
  const main = page.getByRole('main')
  await expect(main.getByText(user.username)).toBeVisible()
  await expect(main.getByText('Profile incomplete')).toBeVisible()
  for (const [name, path] of [
    ['Edit profile', '/profile/edit'],
    ['Withdrawal methods', '/account/withdrawal-methods'],
    ['Wallet', '/wallet'],
    ['Transaction', '/history/transaction'],
  ] as const) {
    await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
  }
  await main.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${site}/`)
})

test('RT11: the history of the account shows the latest entries of each kind', async ({ page, site }) => {
  await openAs(page, await createUser(site, { funds: 40 }), site, '/account/history')
  for (const name of ['Deposits', 'Withdrawals', 'Transactions'])
    await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('40.00').first()).toBeVisible()
})

test('RT13, SC21: the profile shows verification, tier, UID, and rows that explain themselves', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/profile')
  const main = page.getByRole('main')
  await expect(main.getByText('Contact verified', { exact: true })).toBeVisible()
  await expect(main.getByText('Transaction fee tier: Level 1')).toBeVisible()
  await expect(main.getByText(/^[A-Z0-9]{10}$/i)).toBeVisible()
  for (const row of ['Self-introduce', 'Social media', 'Switch accounts', 'Security centre', 'Privacy', 'Authority'])
    await expect(main.getByText(row, { exact: true })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Edit profile' })).toHaveAttribute('href', '/profile/edit')
  await expect(main.getByRole('link', { name: 'Options' })).toHaveAttribute('href', '/profile/options')
  await expect(main.getByRole('button', { name: 'Log out' })).toBeVisible()
})

test('RT14, SC22, VA10: the verification accepts a code, offers to send another code, and is done once', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { verified: false })
  await openAs(page, user, site, '/')
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByText('Code is Required')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again/ })).toBeVisible()
  await page.getByLabel('Code').fill(await newestCode(site, user.email))
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page).toHaveURL(`${site}/login`)
  await expect(page.getByText('Your account is verified')).toBeVisible()

  await expect(page.getByLabel('Username')).toHaveValue(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${site}/market`)
  await page.goto(`${site}/profile/verification`)
  await expect(page.getByText('Your account is verified')).toBeVisible()
})

test('RT15, SC26, VA11, TX1, TX11: editing the profile requires the mandatory fields and stores all fields', async ({
  page,
  site,
}) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/profile/edit')
  await page.getByLabel('Username').fill('')
  await page.getByLabel('Phone number').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Username is Required')).toBeVisible()
  await expect(page.getByText('Phone number is Required')).toBeVisible()

  const name = `edited_${Date.now()}`
  const filled = { 'First name': 'Ada', 'Last name': 'Byron', Username: name, 'Phone number': '06 12 34 56 78' }
  const where = { City: 'Town', State: 'Region', 'Zip code': '12345' }
  for (const [label, text] of Object.entries({ ...filled, ...where }))
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('textbox', { name: 'Address' }).fill('1 Road')
  await page.getByLabel('Country').selectOption('FR')
  await page.getByRole('button', { name: 'Save' }).click()
  await confirm(page, user.password)
  await expect(page.getByText('Updated Successfully')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Ada')
  await expect(page.getByLabel('Country')).toHaveValue('FR')
})

test('RT16, SC27: the options offer every choice and keep them', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/profile/options')
  const main = page.getByRole('main')
  for (const name of ['Language', 'Display currency', 'Chart colours', 'Time', 'Market indicator', 'Display'])
    await expect(main.getByRole('heading', { name, exact: true })).toBeVisible()
  for (const name of [
    'Green up, red down',
    'Red up, green down',
    '00:00 HKT',
    '00:00 UTC',
    '24 Hours',
    'Mass',
    'Amount of money',
    'Dark',
  ])
    await expect(main.getByRole('radio', { name })).toBeAttached()
  await expect(main.getByText('Haptic feedback')).toBeVisible()
  await expect(main.getByText('USDT').first()).toBeVisible()
  await choose(main.getByRole('radio', { name: 'Red up, green down' }))
  await page.reload()
  await expect(main.getByRole('radio', { name: 'Red up, green down' })).toBeChecked()
})

test('RT12, SC30, VA12, TX11: changing the password needs three fields and shows a success message', async ({
  page,
  site,
}) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/account/password')
  const save = page.getByRole('button', { name: 'Change password' })
  await save.click()
  for (const name of ['Current password', 'New password', 'Confirm new password'])
    await expect(page.getByText(`${name} is Required`, { exact: true })).toBeVisible()
  await page.getByLabel('Current password', { exact: true }).fill(user.password)
  await page.getByLabel('New password', { exact: true }).fill('brand-new-1')
  await page.getByLabel('Confirm new password', { exact: true }).fill('brand-new-1')
  await save.click()
  await expect(page.getByText('Updated Successfully')).toBeVisible()
})
