import type { ReactNode } from 'react'
import type { AccountName } from '#core/accounts/practice.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import { formatMoney, groupedNumber } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'
import { getAccount, isPractice } from '#web/session/account.ts'

/** The mark before amounts of practice, which have no currency. The space does not break. */
const MARK = 'P\u00A0'

interface OwnMoneyOptions {
  readonly plus?: boolean
  /** Default: the account of this tab. */
  readonly account?: AccountName | undefined
}

/** Formats an amount of the user's account: as "$85.00", or in practice as "P 85.00". */
export function ownMoney(amount: Money, { plus = false, account = getAccount() }: OwnMoneyOptions = {}): string {
  return account === 'practice' ? MARK + groupedNumber(moneyText(amount), { plus }) : formatMoney(amount, { plus })
}

/** Formats an amount without cents if it has none: "$100", in practice "P 100". */
export function ownShortMoney(amount: Money): string {
  return ownMoney(amount).replace(/\.00$/, '')
}

/** The sign in a field for an amount. */
export function ownCurrency(): string {
  return isPractice() ? MARK.trim() : '$'
}

/** Lets screen readers say "Practice" instead of the mark before each amount of a text. */
export function spoken(text: string): ReactNode {
  const [first, ...others] = text.split(MARK)
  if (others.length === 0) return text
  return (
    <>
      {first}
      {others.map((after, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text have no other identity
        <span key={at}>
          <span aria-hidden="true">{MARK}</span>
          <span className="sr-only">{t('shell.practice')} </span>
          {after}
        </span>
      ))}
    </>
  )
}

/** Replaces the mark by the word in a text that only screen readers get. */
export function spokenText(text: string): string {
  return text.replaceAll(MARK, `${t('shell.practice')} `)
}
