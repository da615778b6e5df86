import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { AccountHistoryScreen } from '#web/screens/account-history/account-history-screen.tsx'
import { AccountScreen } from '#web/screens/account/account-screen.tsx'
import { DepositHistoryScreen } from '#web/screens/deposit-history/deposit-history-screen.tsx'
import { WalletScreen } from '#web/screens/wallet/wallet-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { signIn } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

const ONE_PAGE = { page: 1, per_page: 4, total: 1, pages: 1 }

beforeEach(() => queryClient.clear())

async function draw(Screen: ComponentType<{ params: object }>, at: string, user: object, reason: string) {
  fakeApi({
    'GET /user/general-setting': {
      body: { data: { site_name: 'F', mode: 'demo', server_time: 1, deposit_feature: 0, deposit_reason: reason } },
    },
    'GET /user/deposits': {
      body: {
        data: {
          deposits: [
            {
              trx: 'FW-AAAA-BBBB-CCCC',
              status: 2,
              created_at: '2026-03-18T15:00:00.000Z',
              method: 'Bank transfer',
              method_image: '0123456789abcdef0123456789abcdef.webp',
              currency: 'USD',
              amount: 50,
              percent_charge: 0,
              fixed_charge: 0,
              charge: 0,
              total: 50,
              rate: 1,
              credited: 50,
              admin_feedback: '',
              state: 'waiting',
              quoted_until: null,
              arrived: null,
              steps: [],
            },
          ],
        },
        meta: ONE_PAGE,
      },
    },
  })
  await loadSettings()
  signIn({ token: 'T1', user: aUser(user) })
  setAddress(at)
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <Screen params={{}} />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return container
}

test('F62: the wallet shows why deposits are closed, and links to existing deposits', async () => {
  await draw(WalletScreen as never, '/wallet', { has_deposits: true }, 'Our bank is being changed.')
  expect(screen.getByText('Our bank is being changed.')).toBeTruthy()
  expect(document.querySelector('a[href="/history/deposit"]')).not.toBeNull()
  expect(document.querySelector('a[href="/deposit"]')).toBeNull()
})

test('F62: the wallet says that deposits are closed, and links no history when there are no deposits', async () => {
  await draw(WalletScreen as never, '/wallet', { has_deposits: false }, '')
  expect(screen.getByText('Deposits are closed at the moment.')).toBeTruthy()
  expect(document.querySelector('a[href="/history/deposit"]')).toBeNull()
})

test.each([
  ['account', AccountScreen, '/account'],
  ['all histories', AccountHistoryScreen, '/account/history'],
])('F62: %s links to the existing deposits', async (_, Screen, at) => {
  await draw(Screen as never, at, { has_deposits: true }, '')
  await expect.poll(() => document.querySelector('a[href="/history/deposit"]')).not.toBeNull()
})

test('F62: the history shows its deposits and why deposits are closed; F73: it shows the picture of the gateway', async () => {
  const container = await draw(
    DepositHistoryScreen as never,
    '/history/deposit',
    { has_deposits: true },
    'Back on Monday.',
  )
  expect(await screen.findByText('Bank transfer')).toBeTruthy()
  expect(screen.getByText('Back on Monday.')).toBeTruthy()
  expect(container.querySelector('img')?.getAttribute('src')).toBe(
    '/images/gateways/0123456789abcdef0123456789abcdef.webp',
  )
})
