import type { CSSProperties } from 'react'
import type { Money } from '#core/money/money.ts'
import { moneyText } from '#core/money/money.ts'
import { cx } from '#ui/cx.ts'
import { formatChange, formatMoney, numberParts } from '#ui/format.ts'
import { Triangle } from '#ui/triangle.tsx'

/** At prices of 1,000 or more, the decimals matter little and are muted. */
const MUTED_FROM_DIGITS = '1,000'.length

interface PriceTextProps {
  value: string
  /** Shrinks the text to the width of its container. */
  fit?: boolean | undefined
  className?: string | undefined
}

/** A price, passed as plain decimal text ("67284.1000") with the digits of its symbol. */
export function PriceText({ value, fit = false, className }: PriceTextProps) {
  const { sign, whole, fraction } = numberParts(value)
  return (
    <span
      dir="ltr"
      className={cx('num', fit && 'fit-num inline-block', className)}
      style={fit ? digitsOf(sign + whole + fraction) : undefined}
    >
      {sign}
      {whole}
      <Fraction muted={whole.length >= MUTED_FROM_DIGITS}>{fraction}</Fraction>
    </span>
  )
}

/** Commas and points are about half as wide as a digit. */
function digitsOf(text: string): CSSProperties {
  const marks = text.replaceAll(/[^.,]/g, '').length
  return { '--digits': text.length - marks / 2 } as CSSProperties
}

interface MoneyTextProps {
  /** Null when the amount is not known; a dash is shown. */
  amount: Money | null
  /** Shows a plus before gains. */
  plus?: boolean | undefined
  symbol?: string | undefined
  /** Mutes the cents, for the one large balance of a screen. */
  mutedCents?: boolean | undefined
  /** Hides the digits, for users who are not alone in front of the screen. */
  hidden?: boolean | undefined
  className?: string | undefined
}

export function MoneyText(props: MoneyTextProps) {
  const { amount, plus = false, symbol = '$', mutedCents = false, hidden = false, className } = props
  if (amount === null) return <span className={className}>–</span>
  if (hidden)
    return (
      <span dir="ltr" className={cx('num', className)}>
        {symbol}••••
      </span>
    )
  if (!mutedCents)
    return (
      <span dir="ltr" className={cx('num', className)}>
        {formatMoney(amount, { plus, symbol })}
      </span>
    )
  const { sign, whole, fraction } = numberParts(moneyText(amount), { plus })
  return (
    <span dir="ltr" className={cx('num', className)}>
      {sign}
      {symbol}
      {whole}
      <Fraction muted>{fraction}</Fraction>
    </span>
  )
}

interface ChangeTextProps {
  /** The change in percent: 2.418 means 2.418 %. */
  percent: number
  size?: 'm' | 's' | undefined
  className?: string | undefined
}

/** "▲ +2.418%" in the colour of its direction. No change is neutral and has no triangle. */
export function ChangeText({ percent, size = 's', className }: ChangeTextProps) {
  const text = formatChange(percent)
  const direction = text.startsWith('+') ? 'up' : text.startsWith('0') ? null : 'down'
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 font-semibold whitespace-nowrap',
        size === 'm' ? 'text-body' : 'text-label',
        direction === 'up' ? 'text-up' : direction === 'down' ? 'text-down' : 'text-fg-3',
        className,
      )}
    >
      {direction && <Triangle direction={direction} />}
      {/* The text sets the baseline, so a line keeps its height when the triangle appears or disappears. */}
      <span dir="ltr" className="num self-baseline">
        {text}
      </span>
    </span>
  )
}

function Fraction({ muted, children }: { muted: boolean; children: string }) {
  return muted ? <span className="font-medium text-fg-3">{children}</span> : children
}
