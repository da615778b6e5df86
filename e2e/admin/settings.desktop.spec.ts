import { expect, test } from '../fixtures.ts'
import { openAsStaff } from '../staff.ts'
import { openAsVisitor } from '../users.ts'

test('a changed setting is visible to visitors, and an invalid value shows an error beside it', async ({
  page,
  browser,
  startServer,
}) => {
  const { address: site } = await startServer()
  const owner = await openAsStaff(browser, site, 'owner', '/settings')
  const office = owner.page
  const group = (name: string) => office.getByRole('form', { name })
  await group('The site').getByLabel('Name of the site').fill('Harbour')
  await group('The site').getByRole('button', { name: 'Save' }).click()
  await expect(group('The site').getByText(/^Last changed/)).toBeVisible()
  await expect(group('The site').getByLabel('Name of the site')).toHaveValue('Harbour')

  await openAsVisitor(page, site, '/signup')
  await expect(page).toHaveTitle(/Harbour/)
  await expect(page.getByLabel('Country').getByRole('option', { name: /Norway/ })).toBeAttached()

  await group('Links').getByLabel('Chatroom').fill('javascript:alert(1)')
  await group('Links').getByRole('button', { name: 'Save' }).click()
  await expect(group('Links').getByText('Chatroom must be a web address, such as https://example.com.')).toBeVisible()
  await expect(group('Links').getByLabel('Chatroom')).toHaveValue('javascript:alert(1)')
  expect(owner.problems.filter((problem) => !problem.includes('422'))).toEqual([])
  await owner.close()
})

test('a change of the countries that may sign up takes effect once a second staff member approves it', async ({
  browser,
  startServer,
}) => {
  const { address: site } = await startServer()
  const owner = await openAsStaff(browser, site, 'owner', '/settings')
  const signUp = owner.page.getByRole('form', { name: 'Sign-up' })
  await signUp.getByRole('searchbox').fill('portug')
  await signUp.getByRole('checkbox', { name: 'Portugal' }).check()
  await signUp.getByRole('button', { name: 'Save' }).click()
  await owner.page.getByRole('link', { name: 'Waiting changes' }).click()
  await owner.page.getByRole('row', { name: /Facts of the site/ }).click()
  await expect(owner.page.getByText('Another approver has to agree.')).toBeVisible()
  await expect(owner.page.getByRole('button', { name: 'Agree' })).toHaveCount(0)

  const second = await openAsStaff(browser, site, 'finance', '/changes')
  await second.page.getByRole('row', { name: /Facts of the site/ }).click()
  await second.page.getByRole('button', { name: 'Agree' }).click()
  await expect(second.page.getByText(/^Agreed. It applies at/)).toBeVisible()
  await expect(owner.page.getByText('Any owner can cancel it until then.')).toBeVisible()
  expect([...owner.problems, ...second.problems]).toEqual([])
  await owner.close()
  await second.close()
})

test('the second of two staff members who save settings sees the differences', async ({ browser, startServer }) => {
  const { address: site } = await startServer()
  const first = await openAsStaff(browser, site, 'owner', '/settings')
  const second = await openAsStaff(browser, site, 'owner', '/settings')
  const name = (page: typeof first.page) => page.getByLabel('Name of the site')
  const save = (page: typeof first.page) =>
    page.getByRole('form', { name: 'The site' }).getByRole('button', { name: 'Save' })
  await name(second.page).fill('Second')
  await name(first.page).fill('First')
  await save(first.page).click()
  await expect(first.page.getByText('Saved. Takes effect now.')).toBeVisible()
  await save(second.page).click()
  await expect(second.page.getByText(/^You changed this yourself.*Name of the site/)).toBeVisible()
  await second.page.getByRole('button', { name: 'Reload' }).click()
  await expect(name(second.page)).toHaveValue('First')
  await first.close()
  await second.close()
})
