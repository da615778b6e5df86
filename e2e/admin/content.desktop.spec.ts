import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { openAsVisitor } from '../users.ts'

test("content from the back office appears on a visitor's site", async ({ page, browser, site }) => {
  const staff = await openAsStaff(browser, site, 'content', '/pages/page/+')
  const office = staff.page

  await office.getByLabel('Address').fill('opening-hours')
  await office.getByLabel('Title').fill('Opening hours')
  await office.getByLabel('Text', { exact: true }).fill('## Always\n\nExcept **sometimes**.')
  const preview = office.getByRole('region', { name: 'As visitors see it' })
  await expect(preview.getByRole('heading', { name: 'Always' })).toBeVisible()
  await office.getByRole('button', { name: 'Deutsch: missing' }).click()
  await expect(office.getByText('No text in Deutsch: visitors see English.')).toBeVisible()
  await office.getByLabel('Link').fill('javascript:alert(1)')
  await office.getByRole('button', { name: 'Save' }).click()
  await expect(office.getByText(/^Enter an http or mailto address/)).toBeVisible()
  await office.getByLabel('Link').fill('')
  await office.getByRole('button', { name: 'Save' }).click()
  await expect(office.getByText('Saved and shown on the site.')).toBeVisible()
  await expect(office).toHaveURL(/\/pages\/page\/opening-hours$/)

  for (const [kind, label] of [
    ['question', 'Question'],
    ['banner', 'Title'],
  ] as const) {
    await office.goto(`${site}/admin/faq/${kind}/+`)
    await office.getByLabel('Address').fill(`new-${kind}`)
    await office.getByLabel(label, { exact: true }).fill(`A new ${kind}`)
    // Position 99 puts the entry at the end, because other journeys on the same server read the first entries.
    await office.getByLabel('Position').fill('99')
    await office.getByRole('button', { name: 'Save' }).click()
    await expect(office).toHaveURL(new RegExp(`/faq/${kind}/new-${kind}$`))
  }

  // The server reuses the content of the home page for five seconds.
  await expect(async () => {
    await page.goto(`${site}/`)
    await expect(page.getByRole('button', { name: 'A new question' })).toBeVisible({ timeout: 2_000 })
    await expect(page.getByText('A new banner').first()).toBeAttached({ timeout: 2_000 })
  }).toPass()
  await page.goto(`${site}/page/opening-hours`)
  await expect(page.getByRole('heading', { name: 'Always' })).toBeVisible()
  for (const kind of ['question', 'banner']) {
    const removed = await office.request.post(`${site}/api/admin/content/${kind}/new-${kind}/remove`, {
      data: { version: 1 },
    })
    expect(removed.ok()).toBe(true)
  }
  // The server refused the `javascript:` link with 422, which browsers report in the console.
  expect(staff.problems.filter((problem) => !problem.includes('422'))).toEqual([])
  await staff.close()
})

test('an announcement is shown above the app until it is closed', async ({ page, browser, site }) => {
  const staff = await openAsStaff(browser, site, 'content', '/announcements/+')
  const office = staff.page
  await office.getByLabel('Announcement', { exact: true }).fill('Deposits are closed tonight.')
  await office.getByText('Warning', { exact: true }).click()
  await office.getByLabel('Link').fill('/page/rules')
  await office.getByRole('button', { name: 'Save' }).click()
  await expect(office.getByText(/^Saved\. Open pages/)).toBeVisible()

  await page.goto(`${site}/login`)
  const announcements = page.getByRole('region', { name: 'Announcements' })
  await expect(announcements).toContainText('Deposits are closed tonight.')
  await announcements.getByRole('link', { name: 'Read more' }).click()
  await expect(page).toHaveURL(`${site}/page/rules`)
  await announcements.getByRole('button', { name: 'Dismiss' }).click()
  await expect(announcements).not.toContainText('Deposits are closed')
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByText('Deposits are closed tonight.')).toHaveCount(0)

  await office.getByRole('button', { name: 'Remove' }).click()
  await office.getByRole('button', { name: 'Remove permanently' }).click()
  await expect(office.getByText(/^Removed\./)).toBeVisible()
  expect(staff.problems).toEqual([])
  await staff.close()
})

test('a text override takes effect, and the second of two staff members who save it sees a conflict', async ({
  page,
  browser,
  site,
}) => {
  const first = await openAsStaff(browser, site, 'content', '/texts/login.new_here')
  const second = await openAsStaff(browser, site, 'owner', '/texts/login.new_here')
  await expect(second.page.getByLabel('Override')).toHaveValue(/./)
  const original = await first.page.getByLabel('Override').inputValue()
  await first.page.getByLabel('Override').fill('First time at our place?')
  await first.page.getByRole('button', { name: 'Save' }).click()
  await expect(first.page.getByText(/^Saved\. Open pages/)).toBeVisible()

  await second.page.getByLabel('Override').fill('Newcomer?')
  await second.page.getByRole('button', { name: 'Save' }).click()
  await expect(second.page.getByText(/^content changed this while you were editing \(Text\)/)).toBeVisible()
  await expect(second.page.getByLabel('Override'), 'the typed text stays').toHaveValue('Newcomer?')
  await second.page.getByRole('button', { name: 'Reload' }).click()
  await expect(second.page.getByLabel('Override')).toHaveValue('First time at our place?')

  await openAsVisitor(page, site, '/login')
  await expect(page.getByText('First time at our place?')).toBeVisible()
  await second.page.getByRole('button', { name: 'Reset to default' }).click()
  await expect(second.page.getByText('Reset to default.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(original)).toBeVisible()
  expect(first.problems).toEqual([])
  expect(second.problems.filter((problem) => !problem.includes('409'))).toEqual([])
  await first.close()
  await second.close()
})
