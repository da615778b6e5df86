import { expect, test } from '../fixtures.ts'

test.use({ allowedProblems: [/ERR_FAILED/], reducedMotion: 'no-preference' })

test('home shows the content that came with the page while the calls of home fail', async ({ page, site }) => {
  await page.route(/\/api\/user\/(general-setting|home)$/, (route) => route.abort())
  await page.goto(`${site}/`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Timed trades with results anyone can check')
  await expect(page.getByText('Every result can be checked').first()).toBeVisible()
})

test('the market shows the prices that came with the page while its call fails', async ({ page, site, context }) => {
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

test('a page that the browser takes from its cache reloads its prices', async ({ page, site, context }) => {
  await context.addCookies([{ name: 'visited', value: '1', url: site }])
  // Simulates a page from the browser's cache, for which no bytes are transferred.
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

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('without scripts, users can read home, and its links work', async ({ page, site, context }) => {
    await context.addCookies([{ name: 'lang', value: 'de', url: site }])
    await page.goto(site)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await page.getByRole('link', { name: 'Konto erstellen', exact: true }).click()
    await expect(page).toHaveURL(`${site}/signup`)
  })
})

test('the home screen does not shift when the app replaces the server-rendered screen', async ({ page, site }) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shift: 0, wasShown: false })
    const own = globalThis as unknown as { shift: number; wasShown: boolean }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) own.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      own.wasShown ||= (document.querySelector('#prerendered h1')?.getBoundingClientRect().height ?? 0) > 0
      requestAnimationFrame(look)
    }
    look()
  })
  // After this visit the fonts are in the browser's cache. Until then a system font with other widths may be used.
  await page.goto(site)
  await page.evaluate(() => document.fonts.ready)
  // The script is slower than the styles, so that the screen rendered by the server is seen.
  await page.route('**/assets/react-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.goto(site)
  await expect(page.locator('#root').getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('#prerendered')).toHaveCount(0)
  const { shift, wasShown } = await page.evaluate(() => {
    const own = globalThis as unknown as { shift: number; wasShown: boolean }
    return { shift: own.shift, wasShown: own.wasShown }
  })
  expect(wasShown).toBe(true)
  expect(shift).toBeLessThan(0.02)
})

test('a user with a session never sees the home screen of a visitor', async ({ page, site, context }) => {
  await page.addInitScript(() => localStorage.setItem('session', '{}'))
  await context.addCookies([{ name: 'visited', value: '1', url: site }])
  await page.route('**/assets/react-*.js', (route) => route.abort())
  await page.goto(site)
  await expect(page.locator('#frame')).toBeVisible()
  await expect(page.locator('#prerendered')).toBeHidden()
})

test('F57: while the app itself takes more than a second to load, the page says so in the language of the user', async ({
  page,
  site,
  context,
}) => {
  await context.addCookies([
    { name: 'visited', value: '1', url: site },
    { name: 'lang', value: 'de', url: site },
  ])
  await page.route('**/assets/react-*.js', () => new Promise(() => undefined))
  await page.goto(`${site}/market`, { waitUntil: 'commit' })
  await expect(page.locator('#frame').getByText('Wird geladen')).toHaveCSS('opacity', '1')
})

test('a link pressed before the app starts leads to its page', async ({ page, site }) => {
  await page.route('**/assets/react-*.js', (route) => route.abort())
  await page.goto(site)
  const link = page.locator('#prerendered').getByRole('link', { name: 'Create account', exact: true })
  await expect(link).toBeVisible()
  await page.unroute('**/assets/react-*.js')
  await link.click()
  await expect(page.locator('#root').getByLabel('Username')).toBeVisible()
  await expect(page).toHaveURL(`${site}/signup`)
})

test('a button pressed before the app starts takes effect once the app has rendered', async ({ page, site }) => {
  await page.route('**/assets/react-*.js', (route) => route.abort())
  await page.goto(site)
  await page.locator('#prerendered').getByRole('button', { name: 'Pause slides' }).click()
  await page.unroute('**/assets/react-*.js')
  await expect(page.locator('#root').getByRole('button', { name: 'Play slides' })).toBeVisible()
})

test('with reduced motion, a question pressed before the app starts opens once the app has rendered', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.route('**/assets/react-*.js', (route) => route.abort())
  await page.goto(site)
  const question = { name: 'How do I know the funds are there?' }
  await page.locator('#prerendered').getByRole('button', question).click()
  await page.unroute('**/assets/react-*.js')
  await expect(page.locator('#root').getByRole('button', question)).toHaveAttribute('aria-expanded', 'true')
})
