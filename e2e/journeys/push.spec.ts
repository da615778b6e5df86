import { writeFileSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { get, post } from '#test/support/app-client.ts'
import { type PushService, startPushService } from '#test/support/push/push-service.ts'
import { localCertificate } from '#test/support/test-certificate.ts'
import { findFlaws } from '../find-flaws.ts'
import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

// A request that passes through the service worker fails when the page is left before the reply.
test.use({ serviceWorkers: 'allow', allowedProblems: [/net::ERR_FAILED/] })

const SWITCH = { name: 'Notices on this device' }

test('after the permission the push service gets an encrypted notice without amounts, and a log-out ends it', async ({
  page,
  context,
  startServer,
}, info) => {
  const service = await startPushService({ host: 'localhost', certificate: localCertificate })
  const authority = info.outputPath('authority.pem')
  writeFileSync(authority, localCertificate.cert)
  const { address } = await startServer({
    FAIRWICK_PUSH_HOSTS: 'localhost',
    FAIRWICK_PRIVATE_ADDRESSES: '127.0.0.1,::1',
    NODE_EXTRA_CA_CERTS: authority,
  })
  const user = await createUser(address)
  await setPermission(context, page, address, 'prompt')
  await subscribeAt(service, page)
  await openAs(page, user, address, '/inbox')
  const main = page.getByRole('main')
  await expect(main.getByRole('switch', SWITCH)).not.toBeChecked()
  expect(await page.evaluate(() => 'subscribed' in globalThis.localStorage), 'nothing asks at a visit').toBe(false)

  await setPermission(context, page, address, 'granted')
  await main.getByRole('switch', SWITCH).click()
  await expect(main.getByRole('switch', SWITCH)).toBeChecked()
  await main.getByRole('switch', { name: 'Quiet hours' }).click()
  await main.getByRole('switch', { name: 'Deposits' }).last().click()
  await expect(main.getByRole('switch', { name: 'Deposits' }).last()).toBeChecked()
  expect(await findFlaws(page)).toEqual([])

  await payIn(address, user.session.token)
  await expect.poll(() => service.messages.length).toBe(1)
  const [message] = service.messages
  expect(message?.notification).toMatchObject({ body: 'A deposit has news.', app_badge: '1' })

  await page.goto(`${address}/inbox`)
  await expect(main.getByRole('switch', SWITCH)).toBeChecked()
  await page.goto(`${address}/account`)
  await page.getByRole('button', { name: 'Log out' }).first().click()
  await expect.poll(() => page.evaluate(() => 'subscribed' in globalThis.localStorage)).toBe(false)
  const { username, password } = user
  const { token } = (await post(address, '/user/auth/login', { username, password })) as { token: string }
  expect(((await get(address, '/user/push', token)) as { devices: unknown[] }).devices).toEqual([])
  expect(service.broken).toEqual([])
  service.stop()
})

test('after a refusal the page says how to allow notices, and does not ask again', async ({ page, context, site }) => {
  const user = await createUser(site)
  await setPermission(context, page, site, 'prompt')
  await openAs(page, user, site, '/inbox')
  const main = page.getByRole('main')
  await expect(main.getByRole('switch', SWITCH)).toBeVisible()
  // The browser's question stays without an answer, so the switch stays and the page can ask again.
  await main.getByRole('switch', SWITCH).click()
  await expect(main.getByRole('switch', SWITCH)).toBeEnabled()
  await expect(main.getByRole('switch', SWITCH)).not.toBeChecked()
  await setPermission(context, page, site, 'denied')
  await expect(main.getByText('You blocked notices from this site.')).toBeVisible()
  await expect(main.getByRole('switch', SWITCH)).toHaveCount(0)
  expect(await findFlaws(page)).toEqual([])
  await page.reload()
  await expect(main.getByText('You blocked notices from this site.')).toBeVisible()
})

type PermissionSetting = 'prompt' | 'granted' | 'denied'

/**
 * Sets the browser's permission for notices, as its user does with the answer to the browser's question or in the
 * settings.
 */
async function setPermission(context: BrowserContext, page: Page, origin: string, setting: PermissionSetting) {
  const devtools = await context.newCDPSession(page)
  const { targetInfo } = await devtools.send('Target.getTargetInfo')
  const own = targetInfo.browserContextId === undefined ? {} : { browserContextId: targetInfo.browserContextId }
  await devtools.send('Browser.setPermission', { permission: { name: 'notifications' }, setting, origin, ...own })
}

/**
 * Makes subscriptions at a local stand-in, because Chromium's push service is on the internet. Everything else is
 * Chromium's own code.
 */
async function subscribeAt(service: PushService, page: Page): Promise<void> {
  await page.exposeFunction('subscribeAtStandIn', (key: string) => service.subscribe(key))
  await page.addInitScript(() => {
    const STORED = 'subscribed'
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0) ?? 0)
    const stored = () => {
      const text = localStorage.getItem(STORED)
      if (text === null) return null
      const { endpoint, keys, key } = JSON.parse(text) as { endpoint: string; keys: object; key: string }
      return {
        endpoint,
        options: { userVisibleOnly: true, applicationServerKey: bytes(key).buffer },
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          localStorage.removeItem(STORED)
          return true
        },
      }
    }
    const scope = globalThis as unknown as {
      subscribeAtStandIn: (key: string) => Promise<object>
      PushManager: { prototype: object }
    }
    Object.assign(scope.PushManager.prototype, {
      getSubscription: async () => stored(),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        const { state } = await navigator.permissions.query({ name: 'notifications' })
        if (state !== 'granted') throw new Error('no permission')
        localStorage.setItem(STORED, JSON.stringify(await scope.subscribeAtStandIn(applicationServerKey)))
        return stored()
      },
    })
  })
}

async function payIn(address: string, token: string): Promise<void> {
  const body = new FormData()
  body.set('method_id', '1')
  body.set('amount', '100')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${address}/api/user/deposits/save`, { method: 'POST', headers, body })).ok).toBe(true)
}
