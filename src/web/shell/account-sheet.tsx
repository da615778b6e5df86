import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Gauge from 'lucide-react/icons/gauge'
import Globe from 'lucide-react/icons/globe'
import KeyRound from 'lucide-react/icons/key-round'
import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import LogIn from 'lucide-react/icons/log-in'
import LogOut from 'lucide-react/icons/log-out'
import Moon from 'lucide-react/icons/moon'
import Settings2 from 'lucide-react/icons/settings-2'
import Sun from 'lucide-react/icons/sun'
import UserPlus from 'lucide-react/icons/user-plus'
import UserRound from 'lucide-react/icons/user-round'
import type { ReactNode } from 'react'
import { List, ListRow } from '#ui/list-row.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useUpdateIsReady } from '#web/app-install/app-worker.ts'
import { useInstallOffer } from '#web/app-install/install-offer.ts'
import { InstallRow, UpdateRow } from '#web/app-install/app-rows.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import type { User } from '#web/session/session.ts'
import { chooseTheme, THEMES, useShownTheme, useTheme } from '#ui/theme.ts'
import { PracticeSwitch } from '#web/shell/practice-switch.tsx'
import { useLogout } from '#web/shell/use-logout.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

interface AccountSheetProps {
  /** Null for visitors. */
  user: User | null
  open: boolean
  onClose: () => void
}

/** The menu: theme, language, log-in or log-out, and account settings for users. */
export function AccountSheet({ user, open, onClose }: AccountSheetProps) {
  const logout = useLogout()
  const isDark = useShownTheme() === 'dark'
  const isVerified = user?.ev === true
  const updateIsReady = useUpdateIsReady()
  const installOffer = useInstallOffer()
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={user?.username ?? t('shell.menu')}
      subtitle={user?.email ?? undefined}
      closeLabel={t('common.close')}
    >
      <PracticeSwitch hasReset className="mb-4" />
      <ThemeChoice icon={isDark ? <Moon {...ICON} /> : <Sun {...ICON} />} />
      <List className="mt-3">
        {isVerified && <ListRow icon={<UserRound {...ICON} />} label={t('shell.account')} href="/account" />}
        {isVerified && (
          <ListRow icon={<LockKeyhole {...ICON} />} label={t('shell.change_password')} href="/account/password" />
        )}
        {isVerified && (
          <ListRow icon={<KeyRound {...ICON} />} label={t('shell.withdrawal_pin')} href="/account/withdraw-pin" />
        )}
        {isVerified && <ListRow icon={<Gauge {...ICON} />} label={t('screen.limits')} href="/account/limits" />}
        {isVerified && <ListRow icon={<Settings2 {...ICON} />} label={t('shell.options')} href="/profile/options" />}
        {isVerified && (
          <ListRow icon={<ArrowLeftRight {...ICON} />} label={t('wallet.transactions')} href="/history/transaction" />
        )}
        {updateIsReady && <UpdateRow />}
        {installOffer !== null && <InstallRow offer={installOffer} />}
        <ListRow
          icon={<Globe {...ICON} />}
          label={t('shell.language')}
          value={currentLanguage().name}
          href="/languages"
        />
        {user === null ? (
          <>
            <ListRow icon={<LogIn {...ICON} className="flip" />} label={t('shell.login')} href="/login" />
            <ListRow icon={<UserPlus {...ICON} />} label={t('shell.signup')} href="/signup" />
          </>
        ) : (
          <ListRow icon={<LogOut {...ICON} className="flip" />} label={t('shell.logout')} onClick={logout} end={null} />
        )}
      </List>
    </Sheet>
  )
}

function ThemeChoice({ icon }: { icon: ReactNode }) {
  const theme = useTheme()
  const label = t('shell.theme')
  return (
    <div>
      <p className="mb-1.5 flex items-center gap-2 text-label font-semibold text-fg-2">
        {icon}
        {label}
      </p>
      <Segmented
        label={label}
        options={THEMES.map((value) => ({ value, label: t(`shell.theme_${value}`) }))}
        value={theme}
        onChange={chooseTheme}
      />
    </div>
  )
}
