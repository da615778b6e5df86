import { Banner } from '#ui/banner.tsx'
import picture from '#ui/banner-picture.svg'
import { Slides } from '#ui/carousel.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import type { LoadedHome } from '#web/screens/home/load-home.ts'

/** The operator's banners, one at a time. A new installation has three with true statements about it. */
export function Banners({ loaded }: { loaded: LoadedHome }) {
  return <div className="mt-6 lg:mt-0">{stateOf(loaded)}</div>
}

function stateOf(loaded: LoadedHome) {
  if (loaded.state === 'loading') {
    return (
      <div aria-busy="true" className="pb-11">
        <Skeleton height={216} className="rounded-sheet!" />
      </div>
    )
  }
  if (loaded.state === 'failed') {
    return (
      <div className="card">
        <LoadError reason={failureText(loaded.error)} retryLabel={t('common.try_again')} onRetry={loaded.retry} />
      </div>
    )
  }
  const { banners } = loaded.data
  if (banners.length === 0) return null
  return (
    <Slides
      label={t('home.highlights')}
      labels={{
        kind: t('home.carousel'),
        pause: t('home.pause'),
        play: t('home.play'),
        slide: (number) => t('home.slide', { number }),
      }}
      slides={banners.map((banner) => ({
        key: banner.key,
        content: <Banner banner={banner} picture={picture} readMore={t('home.read_more')} />,
      }))}
    />
  )
}
