import MessagesSquare from 'lucide-react/icons/messages-square'
import Newspaper from 'lucide-react/icons/newspaper'
import Radio from 'lucide-react/icons/radio'
import type { LucideIcon } from 'lucide-react/types'
import type { HomeContent } from '#contract/content.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { SectionTitle } from '#ui/card.tsx'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** Posts, live stream, chatroom. The last two are the operator's; where there is none, the card says so. */
export function Lifestyle({ links }: { links: HomeContent['links'] | null }) {
  return (
    <section>
      <SectionTitle>{t('home.lifestyle')}</SectionTitle>
      <ul className="grid grid-cols-3 gap-2">
        <LifestyleCard Icon={Newspaper} title={t('home.posts')} link="/post" text={t('home.posts_text')} />
        <LifestyleCard Icon={Radio} title={t('home.stream')} {...outside(links?.stream, t('home.stream_text'))} />
        <LifestyleCard
          Icon={MessagesSquare}
          title={t('home.chatroom')}
          {...outside(links?.chatroom, t('home.chatroom_text'))}
        />
      </ul>
    </section>
  )
}

function outside(link: string | undefined, text: string): Pick<CardProps, 'link' | 'text'> {
  return { link, text: link === '' ? t('home.not_set') : text }
}

interface CardProps {
  Icon: LucideIcon
  title: string
  text: string
  /** Undefined while it is not known, empty where there is none. */
  link: string | undefined
}

function LifestyleCard({ Icon, title, text, link }: CardProps) {
  const leads = link !== undefined && link !== ''
  const face = (
    <>
      <span
        className={cx('grid size-9 place-items-center rounded-chip bg-surface-2', leads ? 'text-brand' : 'text-fg-3')}
      >
        <Icon size={19} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span>
        <span className="block text-small font-semibold">{title}</span>
        <span className="block text-caption text-fg-3">{text}</span>
      </span>
    </>
  )
  const look = 'card flex h-full flex-col gap-2.5 p-3'
  return (
    <li>
      {leads ? (
        <Link href={link} external={isOutside(link)} className={cx(look, 'focus-visible:outline-offset-0')}>
          {face}
        </Link>
      ) : (
        <div className={look}>{face}</div>
      )}
    </li>
  )
}
