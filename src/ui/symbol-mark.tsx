import { type CSSProperties, useState } from 'react'
import type { MarketType } from '#core/markets/market.ts'
import { cx } from '#ui/cx.ts'

interface SymbolMarkProps {
  /** The code of the symbol: "BTC", "AAPL", "EURUSD" or "EUR/USD". */
  code: string
  marketType: MarketType
  /** 0 to 360. Derived from the code when the symbol has no hue. */
  hue?: number | undefined
  size?: number | undefined
  /** Address of the symbol's picture. Without a picture, a badge is shown. */
  picture?: string | undefined
  /** Addresses of built-in pictures that fade in over the letters: one, or base and quote of a pair. */
  builtIn?: readonly string[] | undefined
  className?: string | undefined
}

/** The first letter on the symbol's hue: coins are circles, stocks rounded squares, pairs two circles. Decorative. */
export function SymbolMark({ code, marketType, hue, size = 36, picture, builtIn = [], className }: SymbolMarkProps) {
  if (picture !== undefined) {
    return (
      <img
        src={picture}
        alt=""
        width={size}
        height={size}
        style={{ width: size, height: size }}
        className={cx(
          'shrink-0 object-cover',
          marketType === 'us_stocks' ? 'rounded-[28%]' : 'rounded-full',
          className,
        )}
      />
    )
  }
  if (marketType === 'us_fx')
    return <PairMark code={code} hue={hue} size={size} builtIn={builtIn} className={className} />
  return (
    <span
      aria-hidden="true"
      style={tile(size, hue ?? hueOf(code), size * 0.39)}
      className={cx(TILE, 'relative', marketType === 'us_stocks' ? 'rounded-[28%]' : 'rounded-full', className)}
    >
      {code.charAt(0)}
      <BuiltIn key={builtIn[0]} address={builtIn[0]} isMark={marketType === 'us_stocks'} />
    </span>
  )
}

/** A built-in picture over its letter. The letter shows until the picture has loaded, and where it cannot load. */
function BuiltIn({ address, isMark = false }: { address: string | undefined; isMark?: boolean }) {
  const [isLoaded, setIsLoaded] = useState(false)
  if (address === undefined) return null
  return (
    <span
      className={cx(
        'absolute inset-0 grid place-items-center transition-opacity duration-120 motion-reduce:transition-none',
        // The marks of companies are black on a transparent background, and white in the dark theme.
        isMark && 'bg-surface-2',
        isLoaded ? 'opacity-100' : 'opacity-0',
      )}
    >
      <img
        src={address}
        alt=""
        width={24}
        height={24}
        loading="lazy"
        onLoad={() => setIsLoaded(true)}
        className={isMark ? 'size-[60%] dark:invert' : 'size-full'}
      />
    </span>
  )
}

/** Initials of a person, in a circle. */
export function Avatar({ name, size = 36, className }: { name: string; size?: number; className?: string }) {
  return (
    <span
      aria-hidden="true"
      style={tile(size, hueOf(name), size * 0.39)}
      className={cx(TILE, 'rounded-full', className)}
    >
      {initials(name)}
    </span>
  )
}

const SIGNS: Record<string, string> = { EUR: '€', USD: '$', GBP: '£', JPY: '¥', CHF: '₣', INR: '₹', KRW: '₩', TRY: '₺' }

function PairMark({
  code,
  hue,
  size,
  builtIn = [],
  className,
}: Omit<SymbolMarkProps, 'marketType'> & { size: number }) {
  const letters = code.replace(/[^A-Z]/gi, '')
  const [base, quote] = [letters.slice(0, 3), letters.slice(3, 6)]
  const small = size * (2 / 3)
  return (
    <span aria-hidden="true" style={{ width: size, height: size }} className={cx('relative block shrink-0', className)}>
      <span
        style={tile(small, hue ?? hueOf(base), small * 0.46)}
        className={cx(TILE, 'absolute start-0 top-0 rounded-full')}
      >
        {SIGNS[base] ?? base.charAt(0)}
        <BuiltIn key={builtIn[0]} address={builtIn[0]} />
      </span>
      <span
        style={tile(small, hueOf(quote), small * 0.46)}
        className={cx(TILE, 'absolute end-0 bottom-0 rounded-full shadow-[0_0_0_2px_var(--surface)]')}
      >
        {SIGNS[quote] ?? quote.charAt(0)}
        <BuiltIn key={builtIn[1]} address={builtIn[1]} />
      </span>
    </span>
  )
}

const TILE = 'grid shrink-0 overflow-hidden place-items-center leading-none font-bold tracking-[-.02em] select-none'

function tile(size: number, hue: number, fontSize: number): CSSProperties {
  return {
    width: size,
    height: size,
    fontSize,
    background: `oklch(var(--mark-bg-l) var(--mark-bg-c) ${hue})`,
    color: `oklch(var(--mark-fg-l) var(--mark-fg-c) ${hue})`,
  }
}

/** Matches words whose first letter is plain ASCII and has no combining mark after it. */
const PLAIN = /^[A-Za-z0-9](?![^\x20-\x7e])/

/** Returns a hue for a name by its FNV-1a hash, so a name has the same hue on every page and in every session. */
function hueOf(name: string): number {
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % 360
}

let graphemes: Intl.Segmenter | null = null

/** Returns the first grapheme: an emoji or a letter with its marks counts as one. */
function firstSign(word: string): string {
  const [first = ''] = word
  if (PLAIN.test(word)) return first
  // Created on demand: loading its tables takes 40 ms, and 160 ms on a slow phone.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(word)) return segment
  return ''
}

function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const [first = '?', second = ''] = words
  return (firstSign(first) + firstSign(second)).toUpperCase()
}
