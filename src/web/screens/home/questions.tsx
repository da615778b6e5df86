import LifeBuoy from 'lucide-react/icons/life-buoy'
import { parseMarkup } from '#core/content/markup.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { Accordion } from '#ui/accordion.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { SectionTitle } from '#ui/card.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { contentOf, type LoadedHome } from '#web/screens/home/load-home.ts'

/** The help page, used when the operator has set no customer service. */
const HELP_PAGE = '/page/help'

/** The questions, one open at a time. Their figures come from the running system. */
export function Questions({ loaded }: { loaded: LoadedHome }) {
  const support = contentOf(loaded)?.links.support || HELP_PAGE
  return (
    <section>
      <SectionTitle>{t('home.questions')}</SectionTitle>
      {stateOf(loaded)}
      <ButtonLink
        variant="secondary"
        icon={<LifeBuoy size={18} strokeWidth={1.75} aria-hidden="true" />}
        className="mt-3"
        href={support}
        external={isOutside(support)}
      >
        {t('home.support')}
      </ButtonLink>
    </section>
  )
}

function stateOf(loaded: LoadedHome) {
  if (loaded.state === 'loading') {
    return (
      <div aria-busy="true" className="card flex flex-col gap-10 px-4 py-5">
        {[70, 55, 80, 60].map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
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
  const { questions } = loaded.data
  if (questions.length === 0) return null
  return (
    <Accordion
      {...(questions[0] && { initial: questions[0].key })}
      items={questions.map(({ key, title, text }) => ({
        key,
        title,
        content: <RichText blocks={parseMarkup(text)} />,
      }))}
    />
  )
}
