import { get } from '#test/support/app-client.ts'
import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

/** Content of the operator (information pages and posts), and the page with the chart. */

test('RT24, SC36, SC50: an information page shows its name and text, and is linked from the help centre', async ({
  page,
  site,
}) => {
  const user = await createUser(site)
  const { custom_pages } = (await get(site, '/user/pages', user.session.token)) as {
    custom_pages: { name: string; slug: string; content_type: string }[]
  }
  const first = custom_pages.find(({ content_type }) => content_type === 'page')
  expect(first, 'a new installation has a page').toBeDefined()
  await openAs(page, user, site, '/wallet')
  await page
    .getByRole('main')
    .getByRole('link', { name: first?.name ?? '' })
    .click()
  await expect(page).toHaveURL(`${site}/page/${first?.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: first?.name ?? '' })).toBeVisible()
  await expect(page.getByRole('main')).not.toBeEmpty()
})

test('RT25: the posts are listed and open one by one', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/post')
  await page.getByRole('main').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/post\/[\w-]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('RT26: the test page has the chart', async ({ page, site }) => {
  await openAs(page, await createUser(site), site, '/test')
  await expect(page.locator('canvas').first()).toBeVisible()
})
