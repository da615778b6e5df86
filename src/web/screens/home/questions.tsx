import { LifeBuoy } from 'lucide-react'
import { useRef } from 'react'
import { Accordion } from '#ui/accordion.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { SectionTitle } from '#ui/card.tsx'
import { useMarketCount } from '#web/api/use-market-count.ts'
import { t } from '#web/i18n/t.ts'
import { useSession } from '#web/shell/session.ts'
import { useIsDemo, useSettings } from '#web/shell/settings.ts'

/** The four questions; their figures come from the running system. */
export function Questions() {
  const count = useMarketCount()
  const since = useSettings()?.operating_since
  const isDemo = useIsDemo()
  const section = useRef<HTMLElement>(null)
  return (
    <section ref={section}>
      <SectionTitle>{t('home.questions')}</SectionTitle>
      <Accordion
        initial="result"
        items={[
          { key: 'result', title: t('home.q_result'), content: t('home.a_result') },
          {
            key: 'markets',
            title: t('home.q_markets'),
            content: count === null ? t('home.a_markets_plain') : t('home.a_markets', { count }),
          },
          {
            key: 'since',
            title: t('home.q_since'),
            content: since ? t('home.a_since', { since }) : t('home.a_since_plain'),
          },
          { key: 'funds', title: t('home.q_funds'), content: t(isDemo ? 'home.a_funds_demo' : 'home.a_funds') },
        ]}
      />
      <Support
        link={useSession()?.user.customer_link ?? ''}
        onAsk={() => section.current?.querySelector('button')?.focus()}
      />
    </section>
  )
}

/** The operator's customer service where there is one; the answers above otherwise. */
function Support({ link, onAsk }: { link: string; onAsk: () => void }) {
  const look = {
    variant: 'secondary',
    icon: <LifeBuoy size={18} strokeWidth={1.75} aria-hidden="true" />,
    className: 'mt-3',
    children: t('home.support'),
  } as const
  return link === '' ? <Button {...look} onClick={onAsk} /> : <ButtonLink {...look} href={link} external />
}
