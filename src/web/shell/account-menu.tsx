import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Settings from 'lucide-react/icons/settings'
import { useCallback, useState } from 'react'
import { IconButton } from '#ui/icon-button.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import type { User } from '#web/session/session.ts'
import { UserAvatar } from '#web/shell/user-avatar.tsx'
import { latePart } from '#web/parts/late-part.tsx'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Loaded when it is first opened, because the log-in does not need it. */
const AccountSheet = latePart(async () => {
  const [sheet] = await Promise.all([import('#web/shell/account-sheet.tsx'), loadTexts('more')])
  return sheet.AccountSheet
})

interface AccountMenuProps {
  /** Null for visitors. */
  user: User | null
  /** The gear of the wallet, the avatar of the top bar, or three dots in narrow headers. */
  trigger: 'gear' | 'avatar' | 'dots'
}

/** The button that opens the menu: log-in or log-out, theme, language, and account settings. */
export function AccountMenu({ user, trigger }: AccountMenuProps) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  const close = useCallback(() => setState('closed'), [])
  return (
    <>
      <IconButton
        label={t(trigger === 'dots' ? 'shell.menu' : 'shell.account_menu')}
        aria-haspopup="dialog"
        aria-expanded={state === 'open'}
        onClick={() => setState('open')}
        icon={
          trigger === 'avatar' && user !== null ? (
            <UserAvatar user={user} size={32} />
          ) : trigger === 'gear' ? (
            <Settings {...ICON} />
          ) : (
            <EllipsisVertical {...ICON} />
          )
        }
      />
      {state !== 'unused' && <AccountSheet user={user} open={state === 'open'} onClose={close} />}
    </>
  )
}
