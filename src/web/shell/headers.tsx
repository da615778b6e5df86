import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { DemoMark } from '#ui/demo-mark.tsx'
import { Header, SubHeader } from '#ui/header.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { Logo } from '#ui/logo.tsx'
import { t } from '#web/i18n/t.ts'
import { LanguageLink, LoginWord, ThemeButton } from '#web/shell/header-buttons.tsx'
import { InboxLink } from '#web/shell/inbox-link.tsx'
import { useAccount } from '#web/session/account.ts'
import { useGoBack } from '#web/session/navigation.ts'
import { useIsDemo, useSettings } from '#web/site/settings.ts'
import { AccountMenu } from '#web/shell/account-menu.tsx'
import { useSession } from '#web/session/session.ts'

/** The permanent mark of a demo, and of practice on a live site. Absent while amounts are money. */
export function Demo({ form }: { form: 'line' | 'pill' }) {
  const isDemo = useIsDemo()
  const account = useAccount()
  if (isDemo) return <DemoMark form={form}>{t('shell.demo')}</DemoMark>
  // The header itself has the colour of the pill, so here both forms have an outline.
  return account === 'practice' ? <DemoMark form="practice">{t('shell.practice_mark')}</DemoMark> : null
}

/** Logo and name, linked to home. */
export function Brand() {
  const settings = useSettings()
  const name = settings?.site_name ?? 'Fairwick'
  return (
    <Link href="/" aria-label={t('shell.site_home', { site: name })} className="flex min-w-0">
      <Logo
        name={name}
        logoUrl={settings?.logo_url || undefined}
        under={<Demo form="line" />}
        // On tablets the logo is at the top of the navigation rail instead.
        className="md:max-lg:[&>svg]:hidden"
      />
    </Link>
  )
}

/**
 * The header widths below which one menu replaces the separate controls, by page and by the other content of the
 * header.
 */
const WIDTHS = {
  some: {
    none: ['@max-[21rem]/header:hidden', '@max-[21rem]/header:flex'],
    bell: ['@max-[23rem]/header:hidden', '@max-[23rem]/header:flex'],
    long: ['@max-[28rem]/header:hidden', '@max-[28rem]/header:flex'],
  },
  more: {
    none: ['@max-[32rem]/header:hidden', '@max-[32rem]/header:flex'],
    bell: ['@max-[35rem]/header:hidden', '@max-[35rem]/header:flex'],
    long: ['@max-[40rem]/header:hidden', '@max-[40rem]/header:flex'],
  },
} as const

/** 9 letters: a longer word for log-out, together with the bell, would cut off the mark of a demo. */
const LONG_WORD = 9

/** The inbox, then language, theme, and log-in or log-out: side by side where there is room, otherwise in one menu. */
export function HeaderEnd({ room = 'some' }: { room?: 'some' | 'more' }) {
  // Verified users have a bell, which takes 40 px of the header.
  const hasBell = useSession()?.user.ev === true
  const isLong = hasBell && t('shell.logout').length > LONG_WORD
  const [isWide, isNarrow] = WIDTHS[room][isLong ? 'long' : hasBell ? 'bell' : 'none']
  return (
    <>
      <InboxLink tight />
      <span className={cx('flex', isWide)}>
        <LanguageLink tight />
        <ThemeButton tight />
        <LoginWord />
      </span>
      <span className={cx('hidden', isNarrow)}>
        <HeaderMenu />
      </span>
    </>
  )
}

/** The same controls behind one button, for headers that are always narrow. */
function HeaderMenu() {
  return <AccountMenu user={useSession()?.user ?? null} trigger="dots" />
}

/** The header of main pages on phones and tablets. Desktops have the top bar instead. */
export function MainHeader({ end }: { end?: ReactNode }) {
  return (
    <Header
      start={<Brand />}
      end={
        <>
          {end}
          <HeaderEnd />
        </>
      }
      className="lg:hidden"
    />
  )
}

interface DeepHeaderProps {
  title: string
  /** The name of the parent page: "History". */
  crumb?: string | undefined
  /** Where Back leads if the user came from outside the app. */
  parent: string
  end?: ReactNode
  /** Whether the header is as wide as its page. */
  isWide?: boolean | undefined
}

/**
 * The header of deep pages: back arrow, title, demo pill. On desktops the header is above the column of the content.
 */
export function DeepHeader({ title, crumb, parent, end, isWide = false }: DeepHeaderProps) {
  const back = useGoBack(parent)
  return (
    // A section, so that its header is not a second banner beside the top bar.
    <section aria-label={title} className="contents">
      <SubHeader
        title={title}
        crumb={crumb}
        backLabel={t('common.back')}
        onBack={back}
        demo={
          <span className="flex lg:hidden">
            <Demo form="pill" />
          </span>
        }
        demoLine={
          <span className="flex lg:hidden">
            <Demo form="line" />
          </span>
        }
        end={
          <>
            {end}
            <span className="flex lg:hidden">
              <InboxLink tight />
              <HeaderMenu />
            </span>
          </>
        }
        className={cx('md:mx-auto md:w-full lg:static lg:mt-4', isWide ? 'md:max-w-[1136px]' : 'md:max-w-[576px]')}
      />
    </section>
  )
}

/** The header of log-in and sign-up: back arrow, logo, demo pill, theme. The page has its own heading. */
export function AuthHeader() {
  const settings = useSettings()
  const back = useGoBack('/')
  return (
    <header className="@container/header sticky top-0 z-10 flex min-h-(--header-h) items-center gap-1 bg-bg ps-1 pe-1.5 lg:hidden">
      <IconButton
        label={t('common.back')}
        onClick={back}
        icon={<ArrowLeft size={22} strokeWidth={1.75} className="flip" aria-hidden="true" />}
      />
      <Logo
        name={settings?.site_name ?? 'Fairwick'}
        logoUrl={settings?.logo_url || undefined}
        size={26}
        under={
          <span className="hidden @max-[21rem]/header:flex">
            <Demo form="line" />
          </span>
        }
        className="flex-1"
      />
      <span className="flex @max-[21rem]/header:hidden">
        <Demo form="pill" />
      </span>
      <HeaderMenu />
    </header>
  )
}
