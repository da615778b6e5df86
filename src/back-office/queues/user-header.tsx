import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Avatar } from '#ui/symbol-mark.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface UserHeaderProps {
  user: { readonly user_id: string; readonly username: string }
  amount: string
  /** Shown below the amount: the effect of an approval. */
  note: string
  state: ReactNode
}

/** The head of a payment's detail: its user and its amount. */
export function UserHeader({ user: { user_id: userId, username }, amount, note, state }: UserHeaderProps) {
  const maySee = useMay('users.see')
  return (
    <div className="pb-5">
      <div className="flex items-center gap-3 pb-2">
        <Avatar name={username} size={36} />
        <span className="min-w-0 flex-1">
          <b className="block truncate text-heading">{username}</b>
          {maySee && (
            <Link to={`/users/${userId}`} className="hit font-semibold text-caption text-brand hover:underline">
              {t('queue.open_user')}
            </Link>
          )}
        </span>
        <span className="num text-end">
          <b className="block text-title">{amount}</b>
          <span className="block text-caption text-fg-3">{note}</span>
        </span>
      </div>
      {state}
    </div>
  )
}
