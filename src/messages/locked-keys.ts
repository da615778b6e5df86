import { type FlatTexts, originalOf } from '#messages/check-text.ts'

/** Sections about money, orders and proofs. No text of them can be overridden. */
const LOCKED_SECTIONS: ReadonlySet<string> = new Set([
  'account_history',
  'changes',
  'check',
  'deposit',
  'deposit_history',
  'fairness',
  'figures',
  'incidents',
  'leave',
  'liabilities',
  'limits',
  'live',
  'measures',
  'message',
  'no_control',
  'payment_method',
  'prices',
  'register',
  'statement',
  'trade',
  'transaction_history',
  'wallet',
  'withdraw',
  'withdraw_pin',
  'withdrawal_history',
  'withdrawal_methods',
])

/** Words and placeholders of texts about money or results, in English. */
const ABOUT_MONEY = new RegExp(
  [
    'amount|price|payout|stake|result|balance|profit|deposit|withdraw|credit|refund|money|funds',
    String.raw`\b(?:void|draw|wins?|won|lose|loses|losing|lost)\b`,
    String.raw`\{(?:entry|exit|minimum|rate|value)\}`,
  ].join('|'),
  'i',
)

/** Texts about money that the operator may override nevertheless, each with the reason. */
export const FREE_KEYS: Readonly<Record<string, string>> = {
  'content.help_text': 'The operator explains the site. Amounts and results are on other screens.',
  'content.risk_text': "The operator's regulator may prescribe the warning.",
  'content.privacy_text': 'The operator answers for the privacy of its users.',
  'content.terms_text': 'The terms of use are the contract of the operator.',
  'content.terms_text_live': 'The terms of use are the contract of the operator.',
  'content.post_welcome_text': 'News of the operator.',
  'home.headline': 'Advertising of the operator.',
  'home.subline': 'Advertising of the operator.',
  'home.banner_receipt': 'Advertising of the operator.',
  'home.banner_receipt_text': 'Advertising of the operator.',
  'home.banner_odds_text': 'Advertising of the operator.',
  'home.banner_rules_text': 'Advertising of the operator.',
  'home.anywhere_text': 'Advertising of the operator.',
}

/** Whether the operator cannot override a text, in any language, because it is about money or results. */
export function isLockedText(english: FlatTexts, key: string): boolean {
  if (LOCKED_SECTIONS.has(key.slice(0, key.indexOf('.')))) return true
  return !Object.hasOwn(FREE_KEYS, key) && ABOUT_MONEY.test(originalOf(english, key) ?? '')
}
