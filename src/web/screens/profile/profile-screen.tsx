import Camera from 'lucide-react/icons/camera'
import LogOut from 'lucide-react/icons/log-out'
import Pencil from 'lucide-react/icons/pencil'
import Settings2 from 'lucide-react/icons/settings-2'
import { useEffect } from 'react'
import { Card, SectionLabel } from '#ui/card.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Link } from '#ui/link.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { t } from '#web/i18n/t.ts'
import { ContactTag, ProfileTag } from '#web/screens/account/status-tag.tsx'
import { AboutRows } from '#web/screens/profile/about-rows.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { refreshUser } from '#web/site/refresh-user.ts'
import { type User, useSession } from '#web/session/session.ts'
import { useLogout } from '#web/shell/use-logout.ts'
import { UserAvatar } from '#web/shell/user-avatar.tsx'
import { copyLabels } from '#web/i18n/copy-labels.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The user's profile: picture, verification, UID, and links to what can be changed. */
export function ProfileScreen() {
  const user = useSession()?.user
  const logout = useLogout()
  useEffect(() => void refreshUser(), [])
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('screen.profile')}
      header={<DeepHeader title={t('screen.profile')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <Head user={user} />
      <SectionLabel>{t('profile.settings')}</SectionLabel>
      <List>
        <ListRow icon={<Pencil {...ICON} />} label={t('profile.edit')} href="/profile/edit" />
        <ListRow icon={<Camera {...ICON} />} label={t('profile.picture')} href="/profile/picture" />
        <ListRow icon={<Settings2 {...ICON} />} label={t('profile.options')} href="/profile/options" />
      </List>
      <AboutRows user={user} />
      <List className="mt-4">
        <ListRow icon={<LogOut {...ICON} className="flip" />} label={t('profile.logout')} onClick={logout} end={null} />
      </List>
    </Page>
  )
}

function Head({ user }: { user: User }) {
  return (
    <Card>
      <div className="flex items-center gap-4">
        <UserAvatar user={user} size={72} />
        <div className="min-w-0 flex-1">
          <p className="text-heading wrap-anywhere" dir="auto">
            {user.username}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-2">
            <ContactTag isVerified={user.ev} />
            <ProfileTag isComplete={user.profile_complete} />
            <Link
              href="/profile/verification"
              className="hit text-label font-semibold text-brand underline-offset-4 hover:underline"
            >
              {t('profile.verification')}
            </Link>
          </p>
          <p className="mt-1 text-label text-fg-2">{t('profile.tier')}</p>
        </div>
      </div>
      <div className="mt-3 flex min-h-11 flex-wrap items-center gap-x-3 border-t border-line pt-3">
        <span className="text-label text-fg-3">{t('profile.uid')}</span>
        <span dir="ltr" className="mono min-w-0 flex-auto break-all select-all">
          {user.uid}
        </span>
        <CopyButton text={user.uid} labels={copyLabels()} spoken={t('profile.copy_uid', { uid: user.uid })} />
      </div>
    </Card>
  )
}
