// `npm run drill -- webkit`: a newcomer signs up, trades and checks the result in WebKitGTK, the engine of Safari.
// Playwright cannot drive Debian's WebKit, so this uses the WebDriver protocol.
import { demoKeyOf } from '#test/support/server-process.ts'
import { findMiniBrowser } from '../scripts/lib/process/ensure-system.mjs'
import { Browser } from './lib/web-driver.ts'
import { Site } from './lib/site.ts'

const PHONE = { width: 390, height: 844 }
/** 2 minutes: the duration of a one-minute order, and the wait for a late tick. */
const RESULT_MS = 120_000

const site = await Site.make()
await site.start()
const browser = await Browser.start(
  'WebKitWebDriver',
  { 'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] } },
  PHONE,
)
try {
  await browser.open(`${site.address}/?key=${demoKeyOf(site.address)}`)
  console.log(`browser: ${String(await browser.run('return navigator.userAgent'))}`)
  await joinAsNewcomer()
  await browser.press('button', /^Get \$1,000\.00 in demo funds/)
  await browser.gone('button', /in demo funds/)
  await browser.press('link', /^Market$/)
  await browser.press('link', /BTC/)
  await browser.press('button', /^Buy/)
  await browser.press('radio', /^1 min/)
  await browser.type(/^Stake/, '100')
  await browser.press('button', /^Buy · \$100\.00/)
  await browser.find('heading', /^(You won|You lose|Draw)$/, RESULT_MS)
  await browser.press('link', /^Check this result/)
  await browser.find('status', /Matches the stored result/)
  console.log('A newcomer joined, traded, saw the result and checked it.')
} finally {
  await browser.stop()
  await site.remove()
}

/** Goes from the home page to a verified account, as `e2e/pages/newcomer.ts` does in Chromium. */
async function joinAsNewcomer(): Promise<void> {
  await browser.press('link', /^Create account/)
  await browser.type(/^Username/, 'newcomer')
  await browser.choose(/^Country/, 'DE')
  await browser.type(/^Phone number/, '15112345678')
  await browser.type(/^Password/, 'plain-words')
  await browser.type(/^Confirm password/, 'plain-words')
  await browser.press('button', /^Create account/)
  await browser.press('button', /^Verify with \d{6}$/)
  await browser.find('text', /^Your account is verified/)
  await browser.type(/^Password/, 'plain-words')
  await browser.press('button', /^Log in$/)
}
