import Bell from 'lucide-react/icons/bell'
import { IconLink } from '#ui/icon-button.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'

/** The bell of a user's inbox with the number of unread notices. Absent for visitors. */
export function InboxLink({ tight }: { tight?: boolean }) {
  const user = useSession()?.user
  if (!user?.ev) return null
  // A session that an older release stored has no number of unread notices.
  const unread = (user.unread_notices as number | undefined) ?? 0
  return (
    <IconLink
      tight={tight}
      label={unread > 0 ? t('shell.inbox_unread', { count: unread }) : t('screen.inbox')}
      href="/inbox"
      icon={
        <span className="relative">
          <Bell size={20} strokeWidth={1.75} aria-hidden="true" />
          {unread > 0 && (
            <span className="num absolute -end-2 -top-1.5 grid h-4 min-w-4 place-items-center rounded-full bg-brand-solid px-1 text-micro font-semibold text-on-brand">
              {unread > 9 ? '9+' : unread}
            </span>
          )}
        </span>
      }
    />
  )
}
