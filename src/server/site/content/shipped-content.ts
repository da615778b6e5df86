import type { ContentKind } from '#server/site/content/content.queries.ts'
import type { MessageKey } from '#server/platform/i18n/messages.ts'

/** Facts that shipped texts mention. They must be true for this installation. */
export interface SiteFacts {
  readonly mode: 'demo' | 'live'
  readonly markets: number
  /** A day, e.g. `2026-03-18`. Empty when the operator removed it. */
  readonly operatingSince: string
  /** The first day with a proof of liabilities. Empty while there is none. */
  readonly proofsSince: string
}

export interface ShippedEntry {
  readonly kind: ContentKind
  readonly key: string
  readonly icon: string
  readonly link: string
  readonly words: (facts: SiteFacts) => { readonly title: MessageKey; readonly text: MessageKey }
}

/**
 * The content of a new installation, in display order.
 * The texts are in the message files, where they are translated. The database stores only the operator's changes and
 * additions.
 */
export const SHIPPED_CONTENT: readonly ShippedEntry[] = [
  {
    kind: 'banner',
    key: 'receipt',
    icon: 'receipt',
    link: '/page/rules',
    words: () => ({ title: 'home.banner_receipt', text: 'home.banner_receipt_text' }),
  },
  {
    kind: 'banner',
    key: 'odds',
    icon: 'odds',
    link: '/page/risk',
    words: () => ({ title: 'home.banner_odds', text: 'home.banner_odds_text' }),
  },
  {
    kind: 'banner',
    key: 'funds',
    icon: 'funds',
    link: '/signup',
    words: ({ mode }) =>
      mode === 'demo'
        ? { title: 'home.banner_demo', text: 'home.banner_demo_text' }
        : { title: 'home.banner_rules', text: 'home.banner_rules_text' },
  },
  {
    kind: 'question',
    key: 'result',
    icon: '',
    link: '',
    words: () => ({ title: 'home.q_result', text: 'home.a_result' }),
  },
  {
    kind: 'question',
    key: 'markets',
    icon: '',
    link: '',
    words: ({ markets }) => ({
      title: 'home.q_markets',
      text: markets > 0 ? 'home.a_markets' : 'home.a_markets_plain',
    }),
  },
  {
    kind: 'question',
    key: 'since',
    icon: '',
    link: '',
    words: ({ operatingSince }) => ({
      title: 'home.q_since',
      text: operatingSince === '' ? 'home.a_since_plain' : 'home.a_since',
    }),
  },
  {
    kind: 'question',
    key: 'funds',
    icon: '',
    link: '',
    words: ({ mode, proofsSince }) => ({ title: 'home.q_funds', text: fundsAnswer(mode, proofsSince !== '') }),
  },
  {
    kind: 'page',
    key: 'help',
    icon: 'help.svg',
    link: '',
    words: () => ({ title: 'content.help', text: 'content.help_text' }),
  },
  {
    kind: 'page',
    key: 'rules',
    icon: 'rules.svg',
    link: '',
    words: () => ({ title: 'content.rules', text: 'content.rules_text' }),
  },
  {
    kind: 'page',
    key: 'risk',
    icon: 'risk.svg',
    link: '',
    words: () => ({ title: 'content.risk', text: 'content.risk_text' }),
  },
  {
    kind: 'page',
    key: 'privacy',
    icon: 'privacy.svg',
    link: '',
    words: () => ({ title: 'content.privacy', text: 'content.privacy_text' }),
  },
  {
    kind: 'page',
    key: 'terms',
    icon: 'terms.svg',
    link: '',
    words: ({ mode }) => ({
      title: 'content.terms',
      text: mode === 'demo' ? 'content.terms_text' : 'content.terms_text_live',
    }),
  },
  {
    kind: 'post',
    key: 'how-to-read-a-result',
    icon: '',
    link: '',
    words: () => ({ title: 'content.post_result', text: 'content.post_result_text' }),
  },
  {
    kind: 'post',
    key: 'welcome',
    icon: '',
    link: '',
    words: ({ mode }) => ({
      title: 'content.post_welcome',
      text: mode === 'demo' ? 'content.post_welcome_text' : 'content.post_welcome_text_live',
    }),
  },
]

/** Returns whether an entry was shipped. */
export function isShipped(kind: ContentKind, key: string): boolean {
  return SHIPPED_CONTENT.some((entry) => entry.kind === kind && entry.key === key)
}

function fundsAnswer(mode: SiteFacts['mode'], isProven: boolean): MessageKey {
  if (mode === 'demo') return isProven ? 'home.a_funds_demo' : 'home.a_funds_demo_plain'
  return isProven ? 'home.a_funds' : 'home.a_funds_plain'
}
