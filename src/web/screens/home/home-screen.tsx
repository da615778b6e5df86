import { ButtonLink } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'
import { useLoaded } from '#web/api/use-loaded.ts'
import { Banners } from '#web/screens/home/banners.tsx'
import { Bonus } from '#web/screens/home/bonus.tsx'
import { Footer } from '#web/screens/home/footer.tsx'
import { Lifestyle } from '#web/screens/home/lifestyle.tsx'
import { broughtHome, contentOf, loadHome } from '#web/screens/home/load-home.ts'
import { Questions } from '#web/screens/home/questions.tsx'
import { Steps } from '#web/screens/home/steps.tsx'
import { TradeAnywhere } from '#web/screens/home/trade-anywhere.tsx'
import { ContinueStrip } from '#web/shell/continue-strip.tsx'
import { MainHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSettings } from '#web/site/settings.ts'

/** The home page for visitors. Logged-in users are redirected to the market. */
export function HomeScreen() {
  const loaded = useLoaded(loadHome, broughtHome)
  const content = contentOf(loaded)
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
        <Banners loaded={loaded} />
      </div>
      <div className="mt-2 lg:mt-8">
        <Bonus figures={content?.figures ?? null} />
      </div>
      <div className="mt-8 flex flex-col gap-10 lg:mt-14 lg:gap-14">
        <div className="flex flex-col gap-10 lg:grid lg:grid-cols-2 lg:gap-16">
          <Steps count={content?.figures.markets || null} />
          <Lifestyle links={content?.links ?? null} />
        </div>
        <div className="flex flex-col gap-10 lg:grid lg:grid-cols-2 lg:items-start lg:gap-16">
          <TradeAnywhere />
          <Questions loaded={loaded} />
        </div>
      </div>
      <Footer />
    </Page>
  )
}

function Headline() {
  return (
    <div>
      <h1 className="text-display [text-wrap:balance] lg:text-[2.75rem] lg:leading-[3.125rem]">{t('home.headline')}</h1>
      <p className="mt-2 max-w-[52ch] text-input/[1.5rem] text-fg-2">{t('home.subline')}</p>
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-2 lg:max-w-[420px]">
        <ButtonLink href="/signup">{t('home.create_account')}</ButtonLink>
        <ButtonLink href="/market" variant="secondary">
          {t('home.start_trading')}
        </ButtonLink>
      </div>
    </div>
  )
}
