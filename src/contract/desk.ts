import { z } from 'zod'
import { CHART_TYPES, TICK_VIEWS } from '#core/charts/chart-type.ts'
import {
  DRAWING_COLOURS,
  DRAWING_KINDS,
  type DrawingKind,
  MAX_DRAWINGS_OF_SYMBOL,
  MAX_TIME_MS,
  PRICE_TEXT,
} from '#core/charts/drawing.ts'
import { INDICATOR_KINDS, MAX_INDICATORS } from '#core/indicators/indicator-settings.ts'
import { PRICE_SOURCES } from '#core/indicators/price-source.ts'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { defineCall } from '#contract/call.ts'
import { Text } from '#contract/wire.ts'

const Version = z.number().int().min(0).max(2_147_483_647).meta({ description: '0: nothing is stored.' })

const IndicatorOut = z.object({
  kind: z.enum(INDICATOR_KINDS),
  parameters: z.array(z.number()),
  source: z.enum(PRICE_SOURCES),
  colour: z.number().int(),
})
const DeskOut = z.object({
  type: z.enum(CHART_TYPES),
  interval: z.enum(CHART_INTERVALS),
  ticks: z.enum(TICK_VIEWS).nullable().meta({ description: 'A line of ticks in place of bars. Null: bars.' }),
  logarithmic: z.boolean(),
  indicators: z.array(IndicatorOut).max(MAX_INDICATORS),
})
export type DeskSettingsOut = z.output<typeof DeskOut>

/**
 * The chart settings that a client sends. Unknown fields are dropped. An indicator's number that is out of range
 * becomes the nearest allowed number.
 */
const DeskIn = z.object({
  type: z.enum(CHART_TYPES).optional(),
  interval: z.enum(CHART_INTERVALS).optional(),
  ticks: z.enum(TICK_VIEWS).nullable().optional(),
  logarithmic: z.boolean().optional(),
  indicators: z
    .array(z.record(z.string().max(40), z.unknown()))
    .max(50)
    .optional(),
})

const Point = z.object({ time_ms: z.number().min(-MAX_TIME_MS).max(MAX_TIME_MS), price: z.string().regex(PRICE_TEXT) })
const drawingOf = <const K extends DrawingKind>(kind: K) =>
  z.object({
    id: Text(40),
    kind: z.literal(kind),
    points: z.array(Point).length(DRAWING_KINDS[kind]),
    colour: z.number().int().min(1).max(DRAWING_COLOURS),
  })
const DrawingOut = z.discriminatedUnion('kind', [drawingOf('horizontal'), drawingOf('trend')])
export type DrawingOut = z.output<typeof DrawingOut>

export const desk = defineCall({
  method: 'GET',
  path: '/user/desk',
  who: 'verified',
  key: 'never',
  summary: 'The settings of the chart that the devices of the user share.',
  reply: z.object({ version: Version, settings: DeskOut.nullable() }),
  refusals: [],
})

export const saveDesk = defineCall({
  method: 'POST',
  path: '/user/desk',
  who: 'verified',
  key: 'never',
  summary: 'Stores the settings of the chart. `version` is the one that the device has read.',
  body: z.object({ version: Version, settings: DeskIn }),
  reply: z.object({ version: Version }),
  refusals: ['desk_conflict'],
})

const ProductParams = z.object({ product: Text(40) })

export const drawings = defineCall({
  method: 'GET',
  path: '/user/drawings/:product',
  who: 'verified',
  key: 'never',
  summary: 'What the user drew on the chart of a symbol.',
  params: ProductParams,
  reply: z.object({ version: Version, drawings: z.array(DrawingOut) }),
  refusals: ['not_found'],
})

export const saveDrawings = defineCall({
  method: 'POST',
  path: '/user/drawings/:product',
  who: 'verified',
  key: 'never',
  summary: 'Stores all drawings of a symbol. `version` is the one that the device has read.',
  params: ProductParams,
  body: z.object({
    version: Version,
    drawings: z
      .array(DrawingOut)
      .max(MAX_DRAWINGS_OF_SYMBOL)
      // Devices merge drawings by id, so one of two drawings with the same id would be lost.
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length),
  }),
  reply: z.object({ version: Version }),
  refusals: ['not_found', 'desk_conflict', 'too_many_drawings'],
})
