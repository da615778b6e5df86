import { ButtonLink } from '#ui/button.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { t } from '#web/i18n/t.ts'
import { Banners } from '#web/screens/home/banners.tsx'
import { Lifestyle } from '#web/screens/home/lifestyle.tsx'
import { Questions } from '#web/screens/home/questions.tsx'
import { Steps } from '#web/screens/home/steps.tsx'
import { TradeAnywhere } from '#web/screens/home/trade-anywhere.tsx'
import { ContinueStrip } from '#web/shell/continue-strip.tsx'
import { MainHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useIsDemo, useSettings } from '#web/shell/settings.ts'

/** What a visitor sees first. Users are led on to the market. */
export function HomeScreen() {
  return (
    <Page
      title={useSettings()?.site_name ?? 'Fairwick'}
      header={
        <>
          <MainHeader />
          <ContinueStrip />
        </>
      }
      width="wide"
      className="pt-3 lg:pt-14"
    >
      <div className="lg:grid lg:grid-cols-2 lg:items-center lg:gap-16">
        <Headline />
        <Banners />
      </div>
      <div className="mt-8 flex flex-col gap-10 lg:mt-14 lg:gap-14">
        <div className="flex flex-col gap-10 lg:grid lg:grid-cols-2 lg:gap-16">
          <Steps />
          <Lifestyle />
        </div>
        <div className="flex flex-col gap-10 lg:grid lg:grid-cols-2 lg:items-start lg:gap-16">
          <TradeAnywhere />
          <Questions />
        </div>
      </div>
      <Footer />
    </Page>
  )
}

function Headline() {
  return (
    <div>
      <h1 className="text-display [text-wrap:balance] lg:text-[44px] lg:leading-[50px]">{t('home.headline')}</h1>
      <p className="mt-2 max-w-[52ch] text-input/6 text-fg-2">{t('home.subline')}</p>
      <div className="mt-4 flex gap-2 lg:max-w-[420px]">
        <ButtonLink href="/signup">{t('home.create_account')}</ButtonLink>
        <ButtonLink href="/market" variant="secondary">
          {t('home.start_trading')}
        </ButtonLink>
      </div>
    </div>
  )
}

function Footer() {
  const name = useSettings()?.site_name ?? 'Fairwick'
  return (
    <footer className="pt-8 pb-7">
      <p className="flex items-center gap-2 font-bold">
        <LogoMark size={22} />
        {name}
      </p>
      <p className="mt-2 max-w-[80ch] text-label text-fg-3">{t(useIsDemo() ? 'home.risk_demo' : 'home.risk')}</p>
    </footer>
  )
}
