import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * What an accessibility checker finds on a page. A theme changes colours and nothing else, and a smaller window does not
 * change them: `colours` alone, or everything but them, is enough for a page that was wholly checked once.
 */
export async function accessibilityFaults(
  page: Page,
  what: 'all' | 'colours' | 'all but colours' = 'all',
): Promise<string[]> {
  // Half a megabyte, which a page keeps until it is left.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (part) => {
    const { violations } = await globalThis.axe.run(document, {
      // What is found right is not told one by one, and our pages have no frames.
      resultTypes: ['violations'],
      iframes: false,
      ...(part === 'colours' && { runOnly: ['color-contrast'] }),
      ...(part === 'all but colours' && { rules: { 'color-contrast': { enabled: false } } }),
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
  }, what)
}

type Axe = typeof axe

declare global {
  var axe: Axe
}
