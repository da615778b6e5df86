import type { Browser, Page } from '@playwright/test'
import { get, post } from '#test/support/app-client.ts'
import { expect, test } from '../fixtures.ts'
import { openAsStaff, type StaffPage } from '../staff.ts'
import { createUser, openAs, type TestUser } from '../users.ts'

// Run one after the other, because both tests log in the same staff members.
test.describe.configure({ mode: 'default' })
// Browsers report the server's refusals (422) and the calls after a log-out (401).
test.use({ allowedProblems: [/status of 4(?:01|22)/] })

/** Creates a user with a PIN that the user forgets. */
async function forgetfulUser(site: string): Promise<TestUser> {
  const user = await createUser(site)
  const { token } = user.session
  await post(site, '/user/security/confirm', { password: user.password }, token)
  const pin = { withdrawal_code: '135790', withdrawal_code_confirmation: '135790' }
  await post(site, '/user/profile/withdrawal-code', pin, token)
  return user
}

/**
 * A support staff member requests the recovery, and a compliance staff member confirms it. Returns the page of the
 * support staff member, on which the recovery is open.
 */
async function recover(browser: Browser, site: string, user: TestUser): Promise<StaffPage> {
  const support = await openAsStaff(browser, site, 'support', `/users?search=${user.username}`)
  const office = support.page
  await office.getByRole('row', { name: user.username }).click()
  await office.getByRole('button', { name: 'Recover account' }).click()
  const sheet = office.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Request recovery' }).click()
  await expect(sheet.getByText('Enter a reason. The user will see it.')).toBeVisible()
  await sheet.getByLabel('What shows that this is the owner').fill('A video call with the identity card.')
  await sheet.getByRole('button', { name: 'Request recovery' }).click()
  await expect(sheet.getByText('Choose what the user has lost.').first()).toBeVisible()
  await sheet.getByText('Withdrawal PIN', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Request recovery' }).click()
  await expect(office.getByText('Requested. Another person has to confirm it.')).toBeVisible()
  await office.getByRole('link', { name: /^Recoveries/ }).click()
  await office.getByRole('row', { name: user.username }).click()
  await expect(office.getByText('Another person with the right to confirm')).toBeVisible()

  const compliance = await openAsStaff(browser, site, 'compliance', '/recoveries')
  await compliance.page.getByRole('row', { name: user.username }).click()
  await expect(compliance.page.getByText('A video call with the identity card.')).toBeVisible()
  await compliance.page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(compliance.page.getByText('Confirmed. The link can be sent from')).toBeVisible()
  expect(compliance.problems).toEqual([])
  await compliance.close()
  return support
}

/** Returns the path of the link that the user got. */
async function linkOf(site: string, user: TestUser): Promise<string> {
  const { messages } = (await get(site, `/outbox?to=${encodeURIComponent(user.email)}`)) as {
    messages: { kind: string; text: string }[]
  }
  return /\/recover\/\S+/.exec(messages.find(({ kind }) => kind === 'recovery')?.text ?? '')?.[0] ?? ''
}

const forgot = (page: Page) => page.getByText('Forgot your PIN? Our support can recover the account.')

test('a user who did not request a recovery stops the recovery on any page', async ({ page, browser, site }) => {
  const user = await forgetfulUser(site)
  await openAs(page, user, site, '/account/withdraw-pin')
  await expect(forgot(page)).toBeVisible()
  const support = await recover(browser, site, user)
  await expect(page.getByText('Our support is recovering this account')).toBeVisible()
  await page.getByRole('button', { name: 'This was not me' }).click()
  await expect(page.getByText('The recovery was stopped. Nothing has changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'This was not me' })).toHaveCount(0)
  await support.page.getByRole('tab', { name: 'All' }).click()
  await expect(support.page.getByRole('row', { name: user.username }).getByText('Stopped')).toBeVisible()
  await support.close()
})

test('a user who forgot the PIN sets a new PIN with the recovery link, and every session of the user ends', async ({
  page,
  browser,
  site,
}) => {
  const user = await forgetfulUser(site)
  await openAs(page, user, site, '/account/withdraw-pin')
  const support = await recover(browser, site, user)
  const office = support.page
  // In a demo, staff can send the link one minute after the confirmation.
  await expect(async () => {
    await office.reload()
    await office.getByRole('button', { name: 'Send link' }).click({ timeout: 3_000 })
  }).toPass()
  await expect(office.getByText('Link sent.')).toBeVisible()
  await support.close()

  const path = await linkOf(site, user)
  await page.goto(`${site}${path}`)
  await expect(page.getByText(`New access for ${user.username}`)).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('plain-words-2')
  await page.getByLabel('Confirm new password').fill('plain-words-2')
  await page.getByLabel('New PIN', { exact: true }).fill('246802')
  await page.getByLabel('Confirm new PIN').fill('246802')
  await page.getByRole('button', { name: 'Recover account' }).click()
  await expect(page.getByText('Your account is recovered.')).toBeVisible()
  await page.goto(`${site}${path}`)
  await expect(page.getByText('This link was used, has expired or was stopped.')).toBeVisible()
  await page.goto(`${site}/login`)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill('plain-words-2')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/market/)
  await page.goto(`${site}/account/security`)
  await expect(page.getByText('Withdrawals are paused until')).toBeVisible()
})
