import type { Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Lists the faults that an accessibility checker finds on a page. Another theme changes only the colours. After one
 * full check, it therefore needs only the part `colours`. Another window size changes everything except the colours, so
 * it needs only the part `all but colours`.
 */
export async function accessibilityFaults(
  page: Page,
  what: 'all' | 'colours' | 'all but colours' = 'all',
): Promise<string[]> {
  // The checker is half a megabyte. It stays in the page, so this function loads it once per page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (part) => {
    const { violations } = await globalThis.axe.run(document, {
      // Passed checks are not reported, and our pages have no frames.
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
