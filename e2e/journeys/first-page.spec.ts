import { expect, test } from '../fixtures.ts'

test.use({ allowedProblems: [/ERR_FAILED/] })

test('home shows the content that came with the page while its calls fail', async ({ page, site }) => {
  await page.route(/\/api\/user\/(general-setting|home)$/, (route) => route.abort())
  await page.goto(`${site}/`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Timed trades with results anyone can check')
  await expect(page.getByText('Every result can be checked').first()).toBeVisible()
})

test('the market shows the prices that came with the page while its list fails', async ({ page, site, context }) => {
  await context.addCookies([{ name: 'visited', value: '1', url: site }])
  await page.route('**/api/user/crypto-currency/list', (route) => route.abort())
  await page.goto(`${site}/market`)
  await expect(page.getByText('Bitcoin').first()).toBeVisible()
})

test('the page has the language, title and description of its address before any script runs', async ({
  page,
  site,
}) => {
  const reply = await page.request.get(`${site}/fairness`, { headers: { accept: 'text/html', cookie: 'lang=ar' } })
  const html = await reply.text()
  expect(html).toContain('<html lang="ar" dir="rtl"')
  expect(html).toMatch(/<title>[^<]*\p{Script=Arabic}[^<]* · Fairwick<\/title>/u)
  expect(html).toMatch(/<meta name="description" content="[^"]*\p{Script=Arabic}/u)
})

test('a page that the browser takes from its cache loads its prices anew', async ({ page, site, context }) => {
  await context.addCookies([{ name: 'visited', value: '1', url: site }])
  // As for a page from the cache: no bytes were transferred.
  await page.addInitScript(() => {
    const entries = performance.getEntriesByType.bind(performance)
    performance.getEntriesByType = (type) =>
      type === 'navigation' ? entries(type).map(() => ({ transferSize: 0, responseStart: 0 }) as never) : entries(type)
  })
  await page.route('**/api/user/crypto-currency/list', (route) => route.abort())
  await page.goto(`${site}/market`)
  await expect(page.getByText('unable to load data, try again later')).toBeVisible()
  await expect(page.getByText('Bitcoin')).toHaveCount(0)
})
