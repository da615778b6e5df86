import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { Announcements } from '#web/shell/announcements.tsx'

const LATER = new Date(Date.now() + 3_600_000).toISOString()
const one = (more: object = {}) => ({
  id: 'a',
  version: 1,
  tone: 'info',
  text: 'Closed tonight.',
  link: '',
  until: LATER,
  ...more,
})
const tell = (...announcements: object[]) =>
  fakeApi({ 'GET /user/announcements': { body: { data: { announcements } } } })

beforeEach(() => loadTexts('more'))

test('an announcement is shown until closed, stays closed, and is shown again when edited', async () => {
  tell(one({ link: 'https://example.com/' }), one({ id: 'b', text: 'Prices are late.', tone: 'warn' }))
  const { unmount } = render(<Announcements />)
  await screen.findByText('Closed tonight.')
  expect(screen.getByRole('link').getAttribute('rel')).toBe('noreferrer noopener')
  const [first] = screen.getAllByRole('button', { name: 'Dismiss' })
  if (first) await userEvent.click(first)
  expect(screen.queryByText('Closed tonight.')).toBeNull()
  expect(screen.queryByText('Prices are late.')).not.toBeNull()
  unmount()

  const again = render(<Announcements />)
  await screen.findByText('Prices are late.')
  expect(screen.queryByText('Closed tonight.')).toBeNull()
  again.unmount()

  tell(one({ version: 2, text: 'Closed tomorrow.' }))
  render(<Announcements />)
  await screen.findByText('Closed tomorrow.')
})

test('text is never read as markup, and expired announcements are hidden', async () => {
  tell(one({ text: '<img src=x onerror=alert(1)>' }), one({ id: 'b', text: 'Old.', until: '2020-01-01T00:00:00.000Z' }))
  const { container } = render(<Announcements />)
  await screen.findByText('<img src=x onerror=alert(1)>')
  expect(container.querySelector('img')).toBeNull()
  expect(screen.queryByText('Old.')).toBeNull()
})
