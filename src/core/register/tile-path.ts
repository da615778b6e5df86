import { TILE_WIDTH } from '#core/register/log-proofs.ts'

/** The address of a tile of hashes or entries. `width` is the number of hashes or entries that the tile has. */
export interface TilePlace {
  readonly level: number | 'entries'
  readonly index: number
  readonly width: number
}

/** Highest level of hashes: a log of 2^48 entries. */
const MAX_LEVEL = 5

/** Writes the address of a tile below the log's prefix, e.g. `tile/0/x001/234.p/5` (C2SP tlog-tiles). */
export function tilePath({ level, index, width }: TilePlace): string {
  const digits = String(index)
  const groups = digits.padStart(3 * Math.ceil(digits.length / 3), '0').match(/\d{3}/g) ?? []
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${path}${width < TILE_WIDTH ? `.p/${width}` : ''}`
}

/** Reads the address of a tile. Returns null when it is not written exactly as `tilePath` writes it. */
export function parseTilePath(path: string): TilePlace | null {
  const match = /^tile\/(entries|\d)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (match === null) return null
  const [, levelText, groups = '', widthText] = match
  const level = levelText === 'entries' ? levelText : Number(levelText)
  const index = Number(groups.replaceAll(/[x/]/g, ''))
  const place: TilePlace = { level, index, width: widthText === undefined ? TILE_WIDTH : Number(widthText) }
  const isKnown = Number.isSafeInteger(index) && place.width > 0 && (level === 'entries' || level <= MAX_LEVEL)
  return isKnown && tilePath(place) === path ? place : null
}
