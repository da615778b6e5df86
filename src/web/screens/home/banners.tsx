import { ArrowRight, Gauge, Gift, type LucideIcon, Megaphone, ReceiptText, Scale, Wallet } from 'lucide-react'
import { useId } from 'react'
import type { HomeContent } from '#contract/content.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { Slides } from '#ui/carousel.tsx'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import orderSideArt from '#web/art/order-side.svg'
import { t } from '#web/i18n/t.ts'
import type { LoadedHome } from '#web/screens/home/load-home.ts'

type BannerContent = HomeContent['banners'][number]

/** What a banner's icon may be called by whoever writes it. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  receipt: ReceiptText,
  odds: Gauge,
  funds: Wallet,
  rules: Scale,
  gift: Gift,
}

/** The operator's banners, one by one; three at the start, which say what is true of this installation. */
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
      slides={banners.map((banner) => ({ key: banner.key, content: <Banner banner={banner} /> }))}
    />
  )
}

function Banner({ banner: { icon, title, text, link } }: { banner: BannerContent }) {
  const id = useId()
  const Icon = ICONS[icon] ?? Megaphone
  const isPictured = icon === 'receipt'
  return (
    <div className="relative size-full">
      {isPictured && (
        <img
          src={orderSideArt}
          alt=""
          className="absolute inset-0 size-full object-cover object-right max-[359px]:hidden rtl:-scale-x-100"
        />
      )}
      <div
        className={cx(
          'absolute inset-y-5 start-5 flex flex-col overflow-hidden',
          isPictured ? 'w-[158px] max-[359px]:w-auto' : 'end-5 max-w-[300px]',
        )}
      >
        <Icon size={24} strokeWidth={1.75} className="shrink-0 text-ink-brand" aria-hidden="true" />
        <p id={`${id}-title`} className="mt-3 text-[18px]/6 font-semibold [text-wrap:balance]" dir="auto">
          {title}
        </p>
        <p className="mt-1 text-label text-on-ink-2" dir="auto">
          {text}
        </p>
        {link !== '' && (
          <Link
            href={link}
            external={isOutside(link)}
            id={`${id}-link`}
            aria-labelledby={`${id}-link ${id}-title`}
            className="hit mt-auto flex w-fit items-center gap-1.5 text-small font-semibold focus-visible:-outline-offset-2"
          >
            {t('home.read_more')}
            <ArrowRight size={16} strokeWidth={1.75} className="flip" aria-hidden="true" />
          </Link>
        )}
      </div>
    </div>
  )
}
