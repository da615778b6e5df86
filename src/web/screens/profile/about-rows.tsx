import Eye from 'lucide-react/icons/eye'
import KeyRound from 'lucide-react/icons/key-round'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import Scale from 'lucide-react/icons/scale'
import Share2 from 'lucide-react/icons/share-2'
import ShieldCheck from 'lucide-react/icons/shield-check'
import UserPen from 'lucide-react/icons/user-pen'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import { maskName } from '#core/accounts/username.ts'
import { SectionLabel } from '#ui/card.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { t } from '#web/i18n/t.ts'
import { useGo } from '#web/session/navigation.ts'
import type { User } from '#web/session/session.ts'
import { useLogout } from '#web/shell/use-logout.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Rows of information, including what this site does not do with user data. */
export function AboutRows({ user }: { user: User }) {
  const go = useGo()
  const logout = useLogout()
  const [isSecurityOpen, setSecurityOpen] = useState(false)
  return (
    <>
      <SectionLabel>{t('profile.about')}</SectionLabel>
      <List>
        <ListRow
          icon={<UserPen {...ICON} />}
          label={t('profile.self_introduce')}
          detail={t('profile.self_introduce_text')}
        />
        <ListRow
          icon={<Share2 {...ICON} />}
          label={t('profile.social_media')}
          detail={t('profile.social_media_text')}
        />
        <ListRow
          icon={<Users {...ICON} />}
          label={t('profile.switch_accounts')}
          detail={t('profile.switch_accounts_text')}
          onClick={() => {
            logout()
            go('/login', { replace: true })
          }}
        />
        <ListRow
          icon={<ShieldCheck {...ICON} />}
          label={t('profile.security_centre')}
          detail={t('profile.security_centre_text')}
          onClick={() => setSecurityOpen(true)}
        />
        <ListRow
          icon={<Eye {...ICON} />}
          label={t('profile.privacy')}
          detail={t('profile.privacy_text', { name: maskName(user.username) })}
        />
        <ListRow
          icon={<Scale {...ICON} />}
          label={t('profile.authority')}
          detail={
            user.trade_status === 1
              ? t('profile.authority_text')
              : t('profile.authority_off', { reason: user.trade_reason })
          }
        />
      </List>
      <SecuritySheet open={isSecurityOpen} onClose={() => setSecurityOpen(false)} />
    </>
  )
}

function SecuritySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('profile.security_centre')} closeLabel={t('common.close')}>
      <List>
        <ListRow
          icon={<LockKeyhole {...ICON} />}
          label={t('profile.password')}
          detail={t('profile.security_note')}
          href="/account/password"
        />
        <ListRow icon={<KeyRound {...ICON} />} label={t('profile.pin')} href="/account/withdraw-pin" />
      </List>
    </Sheet>
  )
}
