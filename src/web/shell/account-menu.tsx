import Settings from 'lucide-react/icons/settings'
import { Suspense, useCallback, useState } from 'react'
import { IconButton } from '#ui/icon-button.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { t } from '#web/i18n/t.ts'
import { later } from '#ui/later.ts'
import type { User } from '#web/shell/session.ts'
import { UserAvatar } from '#web/shell/user-avatar.tsx'

/** Fetched when it is first opened: nobody needs it before the login. */
const AccountSheet = later(async () => {
  const [sheet] = await Promise.all([import('#web/shell/account-sheet.tsx'), loadTexts('more')])
  return sheet.AccountSheet
})

interface AccountMenuProps {
  user: User
  /** The gear of the wallet, or the avatar of the top bar. */
  trigger: 'gear' | 'avatar'
}

/** The button that opens the settings of the account. */
export function AccountMenu({ user, trigger }: AccountMenuProps) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  const close = useCallback(() => setState('closed'), [])
  return (
    <>
      <IconButton
        label={t('shell.account_menu')}
        aria-haspopup="dialog"
        aria-expanded={state === 'open'}
        onClick={() => setState('open')}
        icon={
          trigger === 'gear' ? (
            <Settings size={20} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <UserAvatar user={user} size={32} />
          )
        }
      />
      {state !== 'unused' && (
        <Suspense>
          <AccountSheet user={user} open={state === 'open'} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
