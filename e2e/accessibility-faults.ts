import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * What an accessibility checker finds on a page. A theme changes colours and nothing else, and a smaller window does not
 * change them: `colours` alone, or everything but them, is enough for a page that was wholly checked once.
 */
export async function accessibilityFaults(
  page: Page,
  what: 'all' | 'colours' | 'all but colours' = 'all',
): Promise<string[]> {
  // Our pages have no frames: no need for a second page that puts the findings of several together.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (what === 'colours') axe.withRules('color-contrast')
  if (what === 'all but colours') axe.disableRules('color-contrast')
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
}
