import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { AccountScreen } from '#web/screens/account/account-screen.tsx'
import { ProfileScreen } from '#web/screens/profile/profile-screen.tsx'
import { signIn } from '#web/session/session.ts'

const CONTACT = { true: 'Contact verified', false: 'Contact not verified' } as const
const PROFILE = { true: 'Profile complete', false: 'Profile incomplete' } as const
const EITHER = [true, false]

it.each(EITHER.flatMap((ev) => EITHER.map((profile_complete) => ({ ev, profile_complete }))))(
  'SC20, F25: account and profile show the same status texts for %o',
  (facts) => {
    for (const Screen of [AccountScreen, ProfileScreen]) {
      const user = aUser(facts)
      signIn({ token: 'T1', user })
      fakeApi({
        'GET /user/profile': { body: { data: { user } } },
        'GET /user/pages': { body: { data: { custom_pages: [] } } },
      })
      const { unmount } = render(<Screen />)
      expect(screen.getAllByText(CONTACT[`${facts.ev}`])).toHaveLength(1)
      expect(screen.getAllByText(PROFILE[`${facts.profile_complete}`])).toHaveLength(1)
      expect(screen.queryByText(/^(Unv|V)erified$/)).toBeNull()
      unmount()
    }
  },
)
