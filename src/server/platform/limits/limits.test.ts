import { expect, it } from 'vitest'
import { limitsPage } from '#test/support/limits-page.ts'

it('the generated page lists the limits of the code', async () => {
  await expect(limitsPage()).toMatchFileSnapshot('../../../../docs/generated/limits.md')
})
