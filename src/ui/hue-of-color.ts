/**
 * Returns the OKLCH hue of an sRGB colour (`#f7931a`) in degrees. Undefined for greys and for malformed colours.
 * Matrices: Björn Ottosson, "A perceptual color space for image processing" (2020).
 */
export function hueOfColor(hex: string): number | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  if (match === null) return undefined
  const [r = 0, g = 0, b = 0] = match.slice(1).map((part) => linear(Number.parseInt(part, 16) / 255))
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const [a, bb] = [
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
  if (Math.hypot(a, bb) < 0.01) return undefined
  return Math.round((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
