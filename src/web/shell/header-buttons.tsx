import Globe from 'lucide-react/icons/globe'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { HEADER_WORD } from '#ui/header.tsx'
import { IconButton, IconLink } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/session/session.ts'
import { toggleTheme, useShownTheme } from '#ui/theme.ts'
import { useLogout } from '#web/shell/use-logout.ts'

const ICON = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

export function ThemeButton({ tight }: { tight?: boolean }) {
  const isDark = useShownTheme() === 'dark'
  return (
    <IconButton
      tight={tight}
      label={t(isDark ? 'shell.use_light_theme' : 'shell.use_dark_theme')}
      onClick={toggleTheme}
      icon={isDark ? <Sun {...ICON} /> : <Moon {...ICON} />}
    />
  )
}

export function LanguageLink({ tight }: { tight?: boolean }) {
  return <IconLink tight={tight} label={t('shell.language')} href="/languages" icon={<Globe {...ICON} />} />
}

/** "Log in" for visitors, "Log out" for users. */
export function LoginWord() {
  const isSignedIn = useSession() !== null
  const logout = useLogout()
  if (!isSignedIn) {
    return (
      <Link href="/login" className={HEADER_WORD}>
        {t('shell.login')}
      </Link>
    )
  }
  return (
    <button type="button" onClick={logout} className={HEADER_WORD}>
      {t('shell.logout')}
    </button>
  )
}
