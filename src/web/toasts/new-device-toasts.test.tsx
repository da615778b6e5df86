import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { ToastProvider } from '#ui/toast.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { NewDeviceToasts } from '#web/toasts/new-device-toasts.tsx'
import { tellNewDevice } from '#web/session/new-devices.ts'

beforeEach(() => loadTexts('trading'))

it('a toast names the new device, and links to the page that can log it out', async () => {
  render(
    <ToastProvider dismissLabel="Close">
      <NewDeviceToasts />
    </ToastProvider>,
  )
  act(() => tellNewDevice('Chrome · Windows'))
  expect(screen.getByText('New log-in from Chrome · Windows')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(globalThis.location.pathname).toBe('/account/security')
})
