import { useEffect, useState } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { MoneyText } from '#ui/figures.tsx'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import type { NavItem } from '#ui/nav-item.ts'
import { TopBar } from '#ui/top-bar.tsx'
import { t } from '#web/i18n/t.ts'
import { ApproxAmount } from '#web/display-rates/approx-amount.tsx'
import { useIsOfflineStart } from '#web/live/live-store.ts'
import { AccountMenu } from '#web/shell/account-menu.tsx'
import { LanguageLink, LoginWord, ThemeButton } from '#web/shell/header-buttons.tsx'
import { Brand } from '#web/shell/headers.tsx'
import { InboxLink } from '#web/shell/inbox-link.tsx'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { useOwnBalance } from '#web/site/practice-account.ts'
import { type User, useSession } from '#web/session/session.ts'
import { serverNowMs, useDepositsAreOpen } from '#web/site/settings.ts'

/** The header of the desktop: destinations, server time, balance, deposit, settings. */
export function DesktopBar({ items }: { items: readonly NavItem[] }) {
  const user = useSession()?.user
  return (
    <TopBar
      label={t('shell.main_navigation')}
      brand={<Brand />}
      items={items}
      end={
        <>
          <ServerClock />
          {user?.ev && <Balance user={user} />}
          <InboxLink />
          <LanguageLink />
          <ThemeButton />
          {user ? (
            <AccountMenu user={user} trigger="avatar" />
          ) : (
            <>
              <LoginWord />
              <ButtonLink href="/signup" size="s">
                {t('shell.signup')}
              </ButtonLink>
            </>
          )}
        </>
      }
    />
  )
}

function Balance({ user }: { user: User }) {
  const isUnknown = useIsOfflineStart()
  const own = useOwnBalance()
  const isLive = useAccount() === 'live'
  const depositsAreOpen = useDepositsAreOpen()
  return (
    <>
      <span className="ms-4 flex flex-col items-end">
        {isLive ? (
          <MoneyText
            amount={isUnknown ? null : own}
            symbol={user.currency_symbol}
            className="text-small font-semibold"
          />
        ) : (
          <span dir="ltr" className="num text-small font-semibold">
            {own === null ? '–' : spoken(ownMoney(own))}
          </span>
        )}
        {isLive && !isUnknown && (
          <ApproxAmount
            amount={user.balance}
            className="text-micro"
            otherwise={
              <span className="text-micro text-fg-3">
                {t('shell.credits', { amount: user.points.toLocaleString('en-US') })}
              </span>
            }
          />
        )}
      </span>
      {isLive && depositsAreOpen && !user.leaving && (
        <ButtonLink href="/deposit" variant="tint" size="s" className="mx-2">
          {t('shell.deposit')}
        </ButtonLink>
      )}
    </>
  )
}

/** The server's clock, which decides when orders open and settle. */
function ServerClock() {
  const [now, setNow] = useState(serverNowMs)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNowMs()), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="num text-label text-fg-3" title={t('shell.server_time')}>
      {clockTime(now)} {clockZone(now)}
    </span>
  )
}
