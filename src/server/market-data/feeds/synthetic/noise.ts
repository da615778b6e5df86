// Deterministic noise: the same key and index give the same number on every machine and after every restart. Integer arithmetic only, so
// results never drift.

/** A 32-bit key from text, by FNV-1a. */
export function noiseKey(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** 32 well-mixed bits for a whole number of up to 53 bits, by MurmurHash3's finalizer. */
export function noiseBits(key: number, index: number): number {
  let hash = key ^ Math.imul(Math.floor(index / 0x1_0000_0000) | 0, 0x85ebca6b)
  hash = mix(hash + Math.imul(index | 0, 0x9e3779b1))
  return mix(hash ^ key) >>> 0
}

/**
 * A bell-shaped number with mean 0 and standard deviation 1, always between -3.45 and 3.45: the sum of four uniform
 * bytes. The bound is useful: no single sample can move a price off the chart.
 */
export function noiseBell(key: number, index: number): number {
  const bits = noiseBits(key, index)
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24)
  return (sum - 510) / FOUR_BYTES_DEVIATION
}

const FOUR_BYTES_DEVIATION = Math.sqrt((4 * (256 * 256 - 1)) / 12)

function mix(bits: number): number {
  let hash = bits ^ (bits >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
