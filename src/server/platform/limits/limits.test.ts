import { expect, it } from 'vitest'
import { limitsPage } from '#test/support/limits-page.ts'

it('is written down for people as it is in the code', async () => {
  await expect(limitsPage()).toMatchFileSnapshot('../../../../docs/generated/limits.md')
})
