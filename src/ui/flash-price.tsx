import { useState } from 'react'
import { PriceText } from '#ui/figures.tsx'

interface FlashPriceProps {
  /** The price as plain decimal text, as in `PriceText`. */
  value: string
  fit?: boolean | undefined
  className?: string | undefined
}

/** A price whose text shows the colour of its last move for 400 ms and fades back. No fading under reduced motion. */
export function FlashPrice({ value, fit, className }: FlashPriceProps) {
  const [shown, setShown] = useState({ value, move: '', count: 0 })
  // Setting state during render makes React render once, with the new value and its flash together.
  if (value !== shown.value) {
    setShown({ value, move: isHigher(value, shown.value) ? 'flash-up' : 'flash-down', count: shown.count + 1 })
  }
  return (
    <span className={className}>
      {/* A new key restarts the animation after two moves in the same direction. */}
      <span key={shown.count} className={shown.move}>
        <PriceText value={value} fit={fit} />
      </span>
    </span>
  )
}

/** Compares decimal texts of the same symbol, so that no digit is lost. */
function isHigher(a: string, b: string): boolean {
  const [wholeA = '', fractionA = ''] = a.split('.')
  const [wholeB = '', fractionB = ''] = b.split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length > wholeB.length
  const places = Math.max(fractionA.length, fractionB.length)
  return wholeA + fractionA.padEnd(places, '0') > wholeB + fractionB.padEnd(places, '0')
}
