import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { drawForStaff } from '#test/support/draw-for-staff.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { AnnouncementEditor } from '#back-office/pages/announcements/announcement-editor.tsx'

const ID = '01900000-0000-7000-8000-000000000001'

test('an announcement that changed meanwhile is saved with the version that the editor shows', async () => {
  let version = 4
  const { seen } = fakeApi({
    [`GET /admin/announcements/${ID}`]: () => ({
      body: {
        data: {
          id: ID,
          state: 'now',
          tone: 'info',
          text: 'Hello',
          link: '',
          from: '2026-01-01T00:00:00.000Z',
          until: '2026-01-02T00:00:00.000Z',
          languages: 'en',
          version,
          texts: { en: 'Hello' },
          site_language: 'en',
        },
      },
    }),
    [`POST /admin/announcements/${ID}/save`]: {
      status: 409,
      body: { message: 'Someone else changed this.', code: 'changed_meanwhile', errors: {} },
    },
  })
  drawForStaff(<AnnouncementEditor id={ID} onCreated={() => {}} onGone={() => {}} />)
  await screen.findByDisplayValue('Hello')
  version = 5
  await act(() => queryClient.invalidateQueries({ queryKey: ['announcements'] }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Someone else changed this.')).toBeTruthy()
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toMatchObject({ version: 4 })
})
