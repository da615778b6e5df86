import ArrowRight from 'lucide-react/icons/arrow-right'
import Gauge from 'lucide-react/icons/gauge'
import Gift from 'lucide-react/icons/gift'
import Megaphone from 'lucide-react/icons/megaphone'
import ReceiptText from 'lucide-react/icons/receipt-text'
import Scale from 'lucide-react/icons/scale'
import Wallet from 'lucide-react/icons/wallet'
import type { LucideIcon } from 'lucide-react/types'
import { useId } from 'react'
import { isOutside } from '#core/content/safe-link.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'

/** The icons of banners, by the names that staff can enter. */
export const BANNER_ICONS: Readonly<Record<string, LucideIcon>> = {
  receipt: ReceiptText,
  odds: Gauge,
  funds: Wallet,
  rules: Scale,
  gift: Gift,
}

interface BannerProps {
  banner: { readonly icon: string; readonly title: string; readonly text: string; readonly link: string }
  /** Address of the picture shown with the receipt icon. */
  picture: string
  readMore: string
}

/** A banner of the home page, on the dark background of its slide. */
export function Banner({ banner: { icon, title, text, link }, picture, readMore }: BannerProps) {
  const id = useId()
  const Icon = BANNER_ICONS[icon] ?? Megaphone
  const isPictured = icon === 'receipt'
  return (
    <div className="@container relative size-full">
      {isPictured && (
        <img
          src={picture}
          alt=""
          className="absolute inset-0 size-full object-cover object-right @max-[358px]:hidden rtl:-scale-x-100"
        />
      )}
      <div
        className={cx(
          'absolute inset-y-5 start-5 flex flex-col overflow-hidden',
          isPictured ? 'w-[158px] @max-[358px]:end-5 @max-[358px]:w-auto' : 'end-5 max-w-[300px]',
        )}
      >
        <Icon size={24} strokeWidth={1.75} className="shrink-0 text-ink-brand" aria-hidden="true" />
        <p id={`${id}-title`} className="mt-3 text-[1.125rem]/[1.5rem] font-semibold [text-wrap:balance]" dir="auto">
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
            {readMore}
            <ArrowRight size={16} strokeWidth={1.75} className="flip" aria-hidden="true" />
          </Link>
        )}
      </div>
    </div>
  )
}
