import { Gauge, type LucideIcon, ReceiptText, Scale, Wallet } from 'lucide-react'
import { Slides } from '#ui/carousel.tsx'
import orderSideArt from '#web/art/order-side.svg'
import { t } from '#web/i18n/t.ts'
import { useIsDemo } from '#web/shell/settings.ts'

/** Three banners that say what is true of this installation. */
export function Banners() {
  const isDemo = useIsDemo()
  return (
    <div className="mt-6 lg:mt-0">
      <Slides
        label={t('home.highlights')}
        labels={{
          kind: t('home.carousel'),
          pause: t('home.pause'),
          play: t('home.play'),
          slide: (number) => t('home.slide', { number }),
        }}
        slides={[
          {
            key: 'receipt',
            content: (
              <Banner
                Icon={ReceiptText}
                title={t('home.banner_receipt')}
                text={t('home.banner_receipt_text')}
                art={orderSideArt}
              />
            ),
          },
          {
            key: 'odds',
            content: <Banner Icon={Gauge} title={t('home.banner_odds')} text={t('home.banner_odds_text')} />,
          },
          {
            key: 'funds',
            content: isDemo ? (
              <Banner Icon={Wallet} title={t('home.banner_demo')} text={t('home.banner_demo_text')} />
            ) : (
              <Banner Icon={Scale} title={t('home.banner_rules')} text={t('home.banner_rules_text')} />
            ),
          },
        ]}
      />
    </div>
  )
}

interface BannerProps {
  Icon: LucideIcon
  title: string
  text: string
  /** Drawn behind, to the right of the words. */
  art?: string
}

function Banner({ Icon, title, text, art }: BannerProps) {
  return (
    <div className="relative size-full">
      {art !== undefined && (
        <img src={art} alt="" className="absolute inset-0 size-full object-cover object-right rtl:-scale-x-100" />
      )}
      <div className={art === undefined ? 'absolute inset-5 max-w-[300px]' : 'absolute inset-y-5 start-5 w-[158px]'}>
        <Icon size={24} strokeWidth={1.75} className="text-ink-brand" aria-hidden="true" />
        <p className="mt-3 text-[18px]/6 font-semibold [text-wrap:balance]">{title}</p>
        <p className="mt-1 text-label text-on-ink-2">{text}</p>
      </div>
    </div>
  )
}
