import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { drawForStaff } from '#test/support/draw-for-staff.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { ContentEditor } from '#back-office/pages/content/content-editor.tsx'

const entry = (version: number, key = 'about') => ({
  kind: 'page',
  key,
  title: `About, version ${version}`,
  is_published: true,
  is_shipped: false,
  languages: 'en',
  icon: '',
  link: '',
  place: 0,
  published_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  version,
  texts: { en: { title: 'About', text: `Text of version ${version}` } },
  shipped: {},
  figures: { count: 0, since: '', proofs: '' },
  site_language: 'en',
})

const STALE = { status: 409, body: { message: 'Someone else changed this.', code: 'changed_meanwhile', errors: {} } }

/** Draws the editor of a page at version 4, and returns a function that stores version 5 as another staff member. */
async function draw(key = 'about') {
  let version = 4
  const { seen } = fakeApi({
    [`GET /admin/content/page/${key}`]: () => ({ body: { data: entry(version, key) } }),
    [`POST /admin/content/page/${key}/save`]: STALE,
    [`POST /admin/content/page/${key}/remove`]: STALE,
    'GET /admin/terms-of-use': { body: { data: { versions: [] } } },
    'POST /admin/terms-of-use/publish': STALE,
  })
  drawForStaff(<ContentEditor kind="page" contentKey={key} back="/pages" onCreated={() => {}} onGone={() => {}} />)
  await screen.findByRole('heading', { name: 'About, version 4' })
  const changeElsewhere = async () => {
    version = 5
    await act(() => queryClient.invalidateQueries({ queryKey: ['content'] }))
    await screen.findByRole('heading', { name: 'About, version 5' })
  }
  const bodies = () => seen.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body)
  return { user: userEvent.setup(), changeElsewhere, bodies }
}

test('a page that changed meanwhile is saved with the version that the editor shows, also at the second try', async () => {
  const { user, changeElsewhere, bodies } = await draw()
  await user.type(screen.getByDisplayValue('Text of version 4'), ', more')
  await changeElsewhere()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Someone else changed this.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(bodies).toMatchObject([{ version: 4 }, { version: 4 }])
})

test('the terms of use that changed meanwhile are announced only with the version that the editor shows', async () => {
  const { user, changeElsewhere, bodies } = await draw('terms')
  await user.type(await screen.findByLabelText('In force from (UTC)'), '2026-05-01T10:00')
  await user.type(screen.getByLabelText('Summary of the changes'), 'New opening hours.')
  await changeElsewhere()
  expect(await screen.findByText('This has changed since you opened it.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Announce this version' }))
  await expect.poll(bodies).toMatchObject([{ draft_version: 4 }])
})

test('a page that changed meanwhile is removed only with the version that the editor shows', async () => {
  const { user, changeElsewhere, bodies } = await draw()
  await changeElsewhere()
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await user.click(screen.getByRole('button', { name: /Remove/ }))
  await expect.poll(bodies).toEqual([{ version: 4 }])
})
