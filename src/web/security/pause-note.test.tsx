import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { ChangePasswordScreen } from '#web/screens/change-password/change-password-screen.tsx'
import { ResetPasswordScreen } from '#web/screens/reset-password/reset-password-screen.tsx'
import { SecurityScreen } from '#web/screens/security/security-screen.tsx'
import { WithdrawPinScreen } from '#web/screens/withdraw-pin/withdraw-pin-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { signIn } from '#web/session/session.ts'
import { loadSettings } from '#web/site/settings.ts'

const OWN = {
  authenticator: true,
  passkeys: [],
  recovery_codes_left: 8,
  sessions: [],
  sign_ins: [],
  new_devices: [],
  withdrawals_from: null,
}

it.each([
  ['a new password', ChangePasswordScreen, '/account/password', 'Change password'],
  ['a forgotten password', ResetPasswordScreen, '/reset-password?code=123456', 'Set password'],
  ['the PIN', WithdrawPinScreen, '/account/withdraw-pin', 'Set PIN'],
  ['a second step', SecurityScreen, '/account/security', 'Turn off'],
] as const)('F27: %s shows above its button how long withdrawals are blocked', async (_, Screen, path, button) => {
  signIn({ token: 'T1', user: aUser({ mobile_proven: true }) })
  setAddress(path)
  fakeApi({
    'GET /user/general-setting': {
      body: { data: { site_name: 'Fairwick', mode: 'demo', server_time: 1, withdrawal_pause_hours: 24 } },
    },
    'GET /user/security': { body: { data: OWN } },
    'POST /user/auth/resetAccounts': { body: { data: { accounts: ['ada'] } } },
  })
  await loadSettings()
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Screen />
    </ToastProvider>,
  )
  const press = await screen.findByRole('button', { name: button })
  const note = screen.getByText('This change pauses withdrawals for 24 h.')
  expect(note.compareDocumentPosition(press) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})
