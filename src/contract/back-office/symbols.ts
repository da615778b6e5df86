import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter, SearchFilter } from '#contract/back-office/staff-call.ts'
import { FileIn } from '#contract/files.ts'
import { IsoTime, MoneyOut, PriceOut } from '#contract/wire.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'

/**
 * Why a symbol accepts no orders: staff closed the symbol or its market, a planned closure is in effect, or its session
 * is over.
 */
const ClosedBy = z.enum(['symbol', 'market', 'plan', 'calendar'])

const SymbolRow = z.object({
  code: z.string(),
  name: z.string(),
  market_type: z.enum(MARKET_TYPES),
  is_listed: z.boolean(),
  is_featured: z.boolean(),
  is_open: z.boolean(),
  closed_by: ClosedBy.nullable(),
  /** The reason shown to users, if staff entered one. */
  closed_reason: z.string().nullable(),
  decimals: z.number().int(),
  tick_size: z.string(),
  max_tick_age_ms: z.number().int(),
  source: z.string(),
  provider_symbol: z.string(),
  sort: z.number().int(),
  color: z.string(),
  image: z.string(),
  price: PriceOut.nullable(),
  price_at: IsoTime.nullable(),
  version: z.number().int(),
})
export type SymbolRow = z.output<typeof SymbolRow>

export const staffSymbols = defineStaffList({
  path: '/admin/markets/symbols',
  may: 'markets.see',
  summary: 'Symbols in the order users see them.',
  filters: {
    market_type: optionalFilter(z.enum(MARKET_TYPES)),
    listed: optionalFilter(z.enum(['yes', 'no'])),
    search: SearchFilter,
  },
  row: SymbolRow,
})

const Code = z.object({ code: z.string().max(20) })
const Version = z.number().int()
const Name = z.string().trim().min(1).max(60)
const Color = z.union([z.literal(''), z.string().regex(/^#[0-9a-f]{6}$/i)])
const MaxTickAge = z.number().int()
const Place = z.number().int().min(0).max(100_000)
const Saved = z.object({ version: Version })

export const staffSymbol = defineStaffCall({
  method: 'GET',
  path: '/admin/markets/symbols/:code',
  may: 'markets.see',
  summary: 'A symbol with its open orders.',
  params: Code,
  reply: SymbolRow.extend({ open_orders: z.number().int(), open_stakes: MoneyOut }),
  refusals: ['not_found'],
})

export type SymbolDetailRow = z.output<typeof staffSymbol.reply>

export const staffPriceSource = defineStaffCall({
  method: 'GET',
  path: '/admin/markets/source',
  may: 'markets.see',
  summary: 'The price feed of this installation.',
  reply: z.object({ source: z.string() }),
  refusals: [],
})

export const staffAddSymbol = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/add',
  may: 'markets.edit',
  summary: 'Adds a symbol, which is listed after the notice of trade terms. The price source must have it.',
  body: z.object({
    code: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{2,12}$/),
    name: Name,
    market_type: z.enum(MARKET_TYPES),
    decimals: z.number().int().min(0).max(8),
    max_tick_age_ms: MaxTickAge,
    source: z.string().trim().min(1).max(40),
    /** The provider's name of the symbol. Empty means the symbol's code. */
    provider_symbol: z.string().trim().max(40).default(''),
    is_featured: z.boolean().default(false),
    color: Color.default(''),
  }),
  reply: z.object({ code: z.string(), listed_from: IsoTime }),
  refusals: ['symbol_taken', 'source_unknown', 'pair_code', 'terms_bounds'],
})

export const staffEditSymbol = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/:code/edit',
  may: 'markets.edit',
  summary: "Changes a symbol's display.",
  params: Code,
  body: z.object({
    version: Version,
    name: Name,
    is_featured: z.boolean(),
    color: Color,
    decimals: z.number().int(),
    sort: Place,
  }),
  reply: Saved,
  refusals: ['not_found', 'changed_meanwhile', 'decimals_fixed'],
})

export const staffCloseSymbol = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/:code/close',
  may: 'markets.edit',
  summary: 'Closes a symbol for new orders. Users see the reason. Open orders settle as usual.',
  params: Code,
  body: z.object({ version: Version, words: z.string().trim().max(300) }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile', 'words_needed'],
})

export const staffOpenSymbol = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/:code/open',
  may: 'markets.edit',
  summary: 'Opens a closed symbol again, within the hours of its market.',
  params: Code,
  body: z.object({ version: Version }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile'],
})

export const staffSymbolPicture = defineStaffCall({
  method: 'POST',
  path: '/admin/markets/symbols/:code/picture',
  may: 'markets.edit',
  summary:
    "Sets a symbol's picture: JPEG, PNG or WebP, re-encoded at a small size. Without a file, the badge in its colour returns.",
  params: Code,
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  body: z.object({ version: z.coerce.number().int(), picture: FileIn.optional() }),
  reply: z.object({ version: Version, image: z.string() }),
  refusals: ['not_found', 'changed_meanwhile', 'file_too_large', 'file_type', 'file_unreadable', 'picture_too_large'],
})
