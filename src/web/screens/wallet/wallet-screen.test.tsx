import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { WalletScreen } from '#web/screens/wallet/wallet-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { signIn } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

beforeEach(() => queryClient.clear())

test('F22: cards of the wallet that load late appear below everything else', async () => {
  let send: (answer: FakeAnswer) => void = () => undefined
  const page = { slug: 'help', name: 'Fees', content_type: 'page', link: '', icon: '' }
  fakeApi({
    'GET /user/general-setting': {
      body: { data: { site_name: 'F', mode: 'demo', server_time: 1, deposit_feature: 1 } },
    },
    'GET /user/pages': () => new Promise((resolve) => (send = resolve)),
    'GET /user/proof/liabilities': { body: { data: { proof: null, next_at: '2026-03-18T15:00:00.000Z' } } },
    'GET /proof/liabilities': { body: { data: { days: [], statement: '' } } },
  })
  await loadSettings()
  signIn({ token: 'T1', user: aUser() })
  setAddress('/wallet')
  const { container } = render(
    <ToastProvider dismissLabel="Dismiss">
      <WalletScreen />
    </ToastProvider>,
  )
  // On desktops the closed transactions are a separate column, so their heading is left out.
  const texts = () =>
    [...container.querySelectorAll('main a, main h2:not(#wallet-closed)')].map((one) => one.textContent)
  const before = texts()
  expect(before).toContain('Withdraw')
  expect(before.join()).not.toContain('Language')
  send({ body: { data: { custom_pages: [page], image_path: '' } } })
  expect(await screen.findByRole('link', { name: /^Language/ })).toBeTruthy()
  expect(texts().slice(0, before.length)).toEqual(before)
  expect(texts().slice(before.length).join()).toMatch(/^Fees,Language.*,/)
})
