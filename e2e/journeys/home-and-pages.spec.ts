import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

test.use({ reducedMotion: 'no-preference' })

test('the home page explains the site to visitors and leads to the sign-up', async ({ page, site }) => {
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.goto(site)
  await expect(page.getByRole('link', { name: /^Up to 6,666 credits for new users/ })).toHaveAttribute(
    'href',
    '/signup',
  )
  const step = page.getByRole('link', { name: /Start Trading Use demo funds/ })
  await expect(step).toContainText(/on \d+ crypto, US stock and forex markets/)
  // A link that the operator has not set gets no card.
  await expect(page.getByText('Posts', { exact: true })).toBeVisible()
  await expect(page.getByText('Chatroom')).toHaveCount(0)

  const question = (name: string) => page.getByRole('button', { name })
  await expect(question('How is a result decided?')).toHaveAttribute('aria-expanded', 'true')
  await question('How long has this site been operating?').click()
  await expect(page.getByText(/operating since \d{4}-\d\d-\d\d/)).toBeVisible()
  await expect(question('How is a result decided?')).toHaveAttribute('aria-expanded', 'false')

  await page.getByRole('link', { name: 'Help & Support' }).click()
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'How a result is decided' }).click()
  await expect(page).toHaveURL(`${site}/page/rules`)
  await expect(page.getByText('Rule version 2.')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(step).toBeVisible()
  expect(sockets, 'readers have no open connection').toEqual([])
  await step.click()
  await expect(page).toHaveURL(`${site}/market`)
})

test('SC6: the banners advance automatically until they are paused', async ({ page, site }) => {
  await page.goto(site)
  const slide = (number: number) => page.getByRole('button', { name: `Slide ${number}` })
  await expect(slide(2)).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Pause slides' }).click()
  await slide(1).click()
  await expect(slide(1)).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('button', { name: 'Play slides' })).toBeVisible()
  await page.getByRole('link', { name: 'Read more Every result can be checked' }).click()
  await expect(page).toHaveURL(`${site}/page/rules`)
})

test('a visitor who prefers reduced motion moves the banners by hand', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(site)
  await expect(page.getByRole('button', { name: 'Slide 1' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('button', { name: 'Pause slides' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Slide 3' }).click()
  await expect(page.getByRole('button', { name: 'Slide 3' })).toHaveAttribute('aria-current', 'true')
})

test('visitors list and read posts without an account', async ({ page, site }) => {
  await page.goto(site)
  await page.getByRole('link', { name: /^Posts/ }).click()
  await expect(page.getByRole('heading', { name: 'Posts', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'This site is open' }).click()
  await expect(page).toHaveURL(`${site}/post/welcome`)
  await expect(page.getByRole('heading', { name: 'This site is open', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('link', { name: 'How to read a result' })).toBeVisible()
})

test('a newcomer sees paid tasks in the wallet, and the help centre', async ({ page, site }) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site)
  await page.goto(`${site}/wallet`)
  const tasks = page.getByRole('region', { name: 'Beginner tasks' })
  await expect(tasks.getByText('2,166 of 6,666 credits')).toBeVisible()
  await expect(tasks.getByRole('listitem').filter({ hasText: 'Make a first deposit' })).toContainText('Paid')
  await expect(page.getByText('2,166 credits').first()).toBeVisible()
  await tasks.getByRole('link', { name: /Set a withdrawal PIN/ }).click()
  await expect(page).toHaveURL(`${site}/account/withdraw-pin`)
  await page.goBack()
  await page.getByRole('main').getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByText('What this site stores about you')).toBeVisible()
})

test('the test page shows the chart with live candles', async ({ page, site }) => {
  await openAs(page, await createUser(site), site)
  await page.goto(`${site}/test`)
  await expect(page.getByRole('img', { name: /^BTC\/USDT, candles of 1m/ })).toBeVisible()
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('row').nth(5)).toBeVisible()
})
