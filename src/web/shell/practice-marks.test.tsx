import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BUY, SELL } from '#core/orders/order.ts'
import { money } from '#core/money/money.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { actionText } from '#web/screens/trade/action-text.ts'
import { chooseAccount } from '#web/session/account.ts'
import { setAddress } from '#web/session/location.ts'
import { ownMoney, ownShortMoney, spoken, spokenText } from '#web/session/own-money.tsx'
import { signIn, signOut } from '#web/session/session.ts'
import { MainHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { loadSettings } from '#web/site/settings.ts'

const MARK = 'Practice · not money'
const LIVE_ONLY = 'This page is about your live account only. Practice is on.'
const icon = document.createElement('link')

beforeEach(async () => {
  icon.rel = 'icon'
  document.head.append(icon)
  fakeApi({
    'GET /user/general-setting': {
      body: { data: { mode: 'live', site_name: 'Fairwick', favicon_url: 'http://localhost/own.svg', server_time: 0 } },
    },
  })
  await loadSettings()
  signIn({ token: 'T', user: aUser() })
})
afterEach(() => act(signOut))

const draw = (path: string) => {
  setAddress(path, { replace: true })
  render(
    <Page title="Market" header={<MainHeader />}>
      -
    </Page>,
  )
}

it('header, tab and page carry the marks of practice while it is on, and none of them otherwise', () => {
  draw('/market')
  const marks = () => [
    screen.queryByText(MARK) !== null,
    document.title,
    icon.href.startsWith('data:'),
    document.documentElement.dataset['account'] ?? null,
  ]
  const live = [false, 'Market · Fairwick', false, null]
  expect(marks()).toEqual(live)
  act(() => chooseAccount('practice'))
  expect(marks()).toEqual([true, 'Practice · Market · Fairwick', true, 'practice'])
  act(() => chooseAccount('live'))
  expect(marks()).toEqual(live)
  expect(icon.href).toBe('http://localhost/own.svg')
})

it.each(['/wallet', '/deposit', '/withdraw', '/account/statement', '/account/limits', '/history/deposit'])(
  '%s says that it is about the live account, only while practice is on',
  (path) => {
    draw(path)
    expect(screen.queryByText(LIVE_ONLY)).toBeNull()
    act(() => chooseAccount('practice'))
    expect(screen.getByText(LIVE_ONLY)).toBeDefined()
  },
)

it('the other screens do not say it', () => {
  draw('/history/transaction')
  act(() => chooseAccount('practice'))
  expect(screen.queryByText(LIVE_ONLY)).toBeNull()
})

it('amounts of practice have the letter and no currency sign, and screen readers hear the word', () => {
  const amounts = () => [
    ownMoney(money(8_500), { plus: true }),
    ownMoney(money(-8_500)),
    ownShortMoney(money(10_000)),
    ownMoney(money(8_500), { account: 'practice' }),
  ]
  expect(amounts()).toEqual(['+$85.00', '−$85.00', '$100', 'P\u00A085.00'])
  act(() => chooseAccount('practice'))
  expect(amounts()).toEqual(['P\u00A0+85.00', 'P\u00A0−85.00', 'P\u00A0100', 'P\u00A085.00'])
  expect(ownMoney(money(8_500), { account: 'live' })).toBe('$85.00')
  const { container } = render(<p>{spoken(`Stake ${ownMoney(money(500))}, ${ownMoney(money(700))}.`)}</p>)
  expect([...container.querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent)).toEqual([
    'P\u00A0',
    'P\u00A0',
  ])
  for (const hidden of container.querySelectorAll('[aria-hidden]')) hidden.remove()
  expect(container.textContent).toBe('Stake Practice 5.00, Practice 7.00.')
  expect(spokenText(ownMoney(money(500)))).toBe('Practice 5.00')
})

it('the buttons that open an order name practice', () => {
  expect([actionText(BUY), actionText(SELL)]).toEqual(['Buy', 'Sell'])
  act(() => chooseAccount('practice'))
  expect([actionText(BUY), actionText(SELL)]).toEqual(['Buy · practice', 'Sell · practice'])
})
