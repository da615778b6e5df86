import ChevronRight from 'lucide-react/icons/chevron-right'
import { SectionTitle } from '#ui/card.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useIsDemo } from '#web/site/settings.ts'

/** `count` is the number of listed instruments; null until known. */
export function Steps({ count }: { count: number | null }) {
  const isDemo = useIsDemo()
  const plain = isDemo ? 'home.step_2_text_plain' : 'home.step_2_text_live_plain'
  const counted = isDemo ? 'home.step_2_text' : 'home.step_2_text_live'
  return (
    <section>
      <SectionTitle>{t('home.steps')}</SectionTitle>
      <ol className="card">
        <Step number={1} href="/signup" title={t('home.step_1')} text={t('home.step_1_text')} />
        <Step
          number={2}
          href="/market"
          title={t('home.step_2')}
          text={count === null ? t(plain) : t(counted, { count })}
        />
      </ol>
    </section>
  )
}

function Step({ number, href, title, text }: { number: number; href: string; title: string; text: string }) {
  return (
    <li className="relative not-first:before:absolute not-first:before:start-[58px] not-first:before:end-0 not-first:before:top-0 not-first:before:h-px not-first:before:bg-line">
      <Link href={href} className="flex items-start gap-3.5 p-4 focus-visible:-outline-offset-2">
        <span className="num grid size-7 shrink-0 place-items-center rounded-full bg-brand-tint text-label font-semibold text-brand">
          {number}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{title}</span>
          <span className="block text-small text-fg-2">{text}</span>
        </span>
        <ChevronRight size={18} className="flip self-center text-fg-3" aria-hidden="true" />
      </Link>
    </li>
  )
}
