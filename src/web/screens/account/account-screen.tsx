import Bell from 'lucide-react/icons/bell'
import Gauge from 'lucide-react/icons/gauge'
import Headphones from 'lucide-react/icons/headphones'
import Landmark from 'lucide-react/icons/landmark'
import LogOut from 'lucide-react/icons/log-out'
import MessageCircleWarning from 'lucide-react/icons/message-circle-warning'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Pencil from 'lucide-react/icons/pencil'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserRound from 'lucide-react/icons/user-round'
import UserRoundX from 'lucide-react/icons/user-round-x'
import WalletMinimal from 'lucide-react/icons/wallet-minimal'
import { useEffect } from 'react'
import { Card, SectionLabel } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { usePageRows } from '#web/content/page-rows.tsx'
import { t } from '#web/i18n/t.ts'
import { Histories, ICON } from '#web/screens/account/histories.tsx'
import { ContactTag, ProfileTag } from '#web/screens/account/status-tag.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useCloseTitle } from '#web/site/close-title.ts'
import { refreshUser } from '#web/site/refresh-user.ts'
import { type User, useSession } from '#web/session/session.ts'
import { useLogout } from '#web/shell/use-logout.ts'
import { UserAvatar } from '#web/shell/user-avatar.tsx'

/** The account screen: the identity of the user, with links to everything that belongs to the account. */
export function AccountScreen() {
  const user = useSession()?.user
  const logout = useLogout()
  const closeTitle = useCloseTitle()
  useEffect(() => void refreshUser(), [])
  if (user === undefined) return null // After a log-out there is no user, and the navigation rules redirect.
  return (
    <Page
      title={t('screen.account')}
      header={<DeepHeader title={t('screen.account')} parent="/wallet" />}
      className="pt-1 pb-8"
    >
      <Person user={user} />
      <SectionLabel>{t('account.me')}</SectionLabel>
      <List>
        <ListRow icon={<UserRound {...ICON} />} label={t('account.profile')} href="/profile" />
        <ListRow icon={<Pencil {...ICON} />} label={t('account.edit_profile')} href="/profile/edit" />
        <ListRow icon={<ShieldCheck {...ICON} />} label={t('screen.security')} href="/account/security" />
        <ListRow icon={<Gauge {...ICON} />} label={t('screen.limits')} href="/account/limits" />
        <ListRow icon={<Bell {...ICON} />} label={t('screen.alerts')} href="/alerts" />
        <ListRow
          icon={<Landmark {...ICON} />}
          label={t('account.withdrawal_methods')}
          href="/account/withdrawal-methods"
        />
        <ListRow icon={<WalletMinimal {...ICON} />} label={t('account.wallet')} href="/wallet" />
      </List>
      <Histories />
      <Help user={user} />
      <List className="mt-4">
        <ListRow icon={<UserRoundX {...ICON} />} label={closeTitle} href="/account/close" />
        <ListRow icon={<LogOut {...ICON} className="flip" />} label={t('account.logout')} onClick={logout} end={null} />
      </List>
    </Page>
  )
}

function Person({ user }: { user: User }) {
  const name = [user.firstname, user.lastname].filter(Boolean).join(' ')
  return (
    <Card className="flex items-center gap-4">
      <UserAvatar user={user} size={56} />
      <div className="min-w-0 flex-1">
        <p className="text-heading wrap-anywhere" dir="auto">
          {user.username}
        </p>
        {name !== '' && (
          <p className="text-small text-fg-2 wrap-anywhere" dir="auto">
            {name}
          </p>
        )}
        <p className="mt-1 flex flex-wrap gap-1.5">
          <ContactTag isVerified={user.ev} />
          <ProfileTag isComplete={user.profile_complete} />
        </p>
        {!user.profile_complete && (
          <Link href="/profile/edit" className="mt-1.5 block text-label text-brand underline-offset-4 hover:underline">
            {t('account.complete_hint')}
          </Link>
        )}
      </div>
    </Card>
  )
}

/** Links to the tickets, and to customer service and the operator's pages where they exist. */
function Help({ user }: { user: User }) {
  const pageRows = usePageRows()
  const service = user.customer_link ?? ''
  return (
    <>
      <SectionLabel>{t('account.help')}</SectionLabel>
      <List>
        {!user.leaving && (
          <ListRow icon={<MessageCircleWarning {...ICON} />} label={t('tickets.wrong')} href="/tickets/new" />
        )}
        <ListRow icon={<MessagesSquare {...ICON} />} label={t('screen.tickets')} href="/tickets" />
        {service !== '' && (
          <ListRow icon={<Headphones {...ICON} />} label={t('account.customer_service')} href={service} external />
        )}
        {pageRows}
      </List>
    </>
  )
}
