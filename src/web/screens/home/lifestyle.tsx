import MessagesSquare from 'lucide-react/icons/messages-square'
import Newspaper from 'lucide-react/icons/newspaper'
import Radio from 'lucide-react/icons/radio'
import type { LucideIcon } from 'lucide-react/types'
import type { HomeContent } from '#contract/content.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { SectionTitle } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** Cards for posts, live stream and chatroom. The last two appear once the operator has set their links. */
export function Lifestyle({ links }: { links: HomeContent['links'] | null }) {
  return (
    <section>
      <SectionTitle>{t('home.lifestyle')}</SectionTitle>
      <ul className="grid auto-cols-fr grid-flow-col gap-2">
        <LifestyleCard Icon={Newspaper} title={t('home.posts')} link="/post" text={t('home.posts_text')} />
        {links?.stream && (
          <LifestyleCard Icon={Radio} title={t('home.stream')} link={links.stream} text={t('home.stream_text')} />
        )}
        {links?.chatroom && (
          <LifestyleCard
            Icon={MessagesSquare}
            title={t('home.chatroom')}
            link={links.chatroom}
            text={t('home.chatroom_text')}
          />
        )}
      </ul>
    </section>
  )
}

interface CardProps {
  Icon: LucideIcon
  title: string
  text: string
  link: string
}

function LifestyleCard({ Icon, title, text, link }: CardProps) {
  return (
    <li>
      <Link
        href={link}
        external={isOutside(link)}
        className="card flex h-full flex-col gap-2.5 p-3 focus-visible:outline-offset-0"
      >
        <span className="grid size-9 place-items-center rounded-chip bg-surface-2 text-brand">
          <Icon size={19} strokeWidth={1.75} aria-hidden="true" />
        </span>
        <span>
          <span className="block text-small font-semibold">{title}</span>
          <span className="block text-caption text-fg-3">{text}</span>
        </span>
      </Link>
    </li>
  )
}
