import { type LucideIcon, MessagesSquare, Newspaper, Radio } from 'lucide-react'
import { SectionTitle } from '#ui/card.tsx'
import { t } from '#web/i18n/t.ts'

/** Posts, live stream, chatroom. They lead nowhere until there is something to lead to. */
export function Lifestyle() {
  return (
    <section>
      <SectionTitle>{t('home.lifestyle')}</SectionTitle>
      <ul className="grid grid-cols-3 gap-2">
        <LifestyleCard Icon={Newspaper} title={t('home.posts')} text={t('home.posts_text')} />
        <LifestyleCard Icon={Radio} title={t('home.stream')} text={t('home.stream_text')} />
        <LifestyleCard Icon={MessagesSquare} title={t('home.chatroom')} text={t('home.chatroom_text')} />
      </ul>
    </section>
  )
}

function LifestyleCard({ Icon, title, text }: { Icon: LucideIcon; title: string; text: string }) {
  return (
    <li className="card flex flex-col gap-2.5 p-3">
      <span className="grid size-9 place-items-center rounded-chip bg-surface-2 text-fg-2">
        <Icon size={19} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span>
        <span className="block text-small font-semibold">{title}</span>
        <span className="block text-caption text-fg-3">{text}</span>
      </span>
    </li>
  )
}
