import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { aSymbol, aUser } from '#test/support/web-fixtures.ts'
import { TradeHeader } from '#web/screens/trade/trade-header.tsx'
import { AuthHeader, DeepHeader, MainHeader } from '#web/shell/headers.tsx'
import { signIn, signOut } from '#web/session/session.ts'

const HEADERS = {
  main: <MainHeader />,
  deep: <DeepHeader title="Deposit" parent="/wallet" />,
  trade: <TradeHeader item={aSymbol()} onChoose={() => undefined} onFavorite={() => undefined} />,
  'log-in': <AuthHeader />,
}

it.each(Object.entries(HEADERS))(
  'SC1, F55: the %s header has log-out, theme and language in its menu',
  async (_, header) => {
    signIn({ token: 'T1', user: aUser() })
    render(header)
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const menu = await screen.findByRole('dialog')
    expect(within(menu).getByRole('button', { name: 'Log out' })).toBeTruthy()
    expect(within(menu).getByRole('radiogroup', { name: 'Theme' })).toBeTruthy()
    expect(
      within(menu)
        .getByRole('link', { name: /^Language/ })
        .getAttribute('href'),
    ).toBe('/languages')
  },
)

it.each(Object.entries(HEADERS))(
  'SC1, F55: the %s header has log-in, theme and language for visitors',
  async (_, header) => {
    signOut()
    render(header)
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const menu = await screen.findByRole('dialog')
    expect(within(menu).getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login')
    expect(within(menu).getByRole('radiogroup', { name: 'Theme' })).toBeTruthy()
    expect(within(menu).getByRole('link', { name: /^Language/ })).toBeTruthy()
  },
)

it('F55: unverified users find the language in the menu too', async () => {
  signIn({ token: 'T1', user: aUser({ ev: false }) })
  render(<DeepHeader title="Verification" parent="/wallet" />)
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  expect(within(await screen.findByRole('dialog')).getByRole('link', { name: /^Language/ })).toBeTruthy()
})
