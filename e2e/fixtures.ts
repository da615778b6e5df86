import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { type ServerProcess, startServerProcess } from '#testing/server-process.ts'

interface Fixtures {
  /** Starts a server of the test's own; it is stopped and its data removed afterwards. */
  startServer: (environment?: Record<string, string>) => Promise<ServerProcess>
}

/** Every test fails on an error in the browser's console, on a failed script and on a request to anyone but us. */
export const test = base.extend<Fixtures>({
  startServer: async ({}, use) => {
    const folders: string[] = []
    const servers: ServerProcess[] = []
    await use(async (environment = {}) => {
      const folder = mkdtempSync(join(tmpdir(), 'fairwick-e2e-'))
      folders.push(folder)
      const server = await startServerProcess({
        FAIRWICK_DATA_DIR: folder,
        FAIRWICK_BOTS: 'off',
        LOG_LEVEL: 'warn',
        ...environment,
      })
      servers.push(server)
      return server
    })
    for (const server of servers) await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  },
  page: async ({ page }, use) => {
    const problems = watchForProblems(page)
    await use(page)
    expect(problems, 'the console stays clean').toEqual([])
  },
})
export { expect }

function watchForProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(`foreign request: ${request.url()}`)
  })
  return problems
}

/** Signs the demo user in through the page and ends on the market. */
export async function signInAsDemo(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/`)
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await page.getByLabel('Username').fill('demo')
  await page.getByLabel('Password', { exact: true }).fill('demo1234')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/market$/)
}
