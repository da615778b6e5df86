import { calls } from '#contract/calls.ts'
import type { DeskSettingsOut, DrawingOut } from '#contract/desk.ts'
import { readDeskSettings } from '#core/charts/desk-settings.ts'
import { MAX_DRAWINGS, readDrawing } from '#core/charts/drawing.ts'
import { refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countOtherDrawings, findDesk, saveDesk } from '#server/users/desk/desk.queries.ts'

const SETTINGS = ''

/** Finds a listed symbol by code or product id. */
interface Symbols {
  readonly find: (symbol: string) => { readonly productId: string } | null
}

/** Registers the calls that store a user's settings of the chart and drawings on it. Both have no effect on orders. */
export function deskRoutes(register: Register, ctx: Ctx, catalogue: Symbols): void {
  register(calls.desk, async ({ user: { userId } }) => {
    const { version, content } = await findDesk(ctx.db, { userId, product: SETTINGS })
    return answer({ version, settings: content === null ? null : toSettings(content) })
  })
  register(calls.saveDesk, async ({ user: { userId }, body: { version, settings } }) => {
    const place = { userId, product: SETTINGS, version, content: toSettings(settings) }
    const saved = await saveDesk(ctx.db, place)
    return saved === null ? refuse('desk_conflict') : answer(saved)
  })
  register(calls.drawings, async ({ user: { userId }, params }) => {
    const product = catalogue.find(params.product)?.productId
    if (product === undefined) return refuse('not_found')
    const { version, content } = await findDesk(ctx.db, { userId, product })
    return answer({ version, drawings: toDrawings(content, product) })
  })
  register(calls.saveDrawings, async ({ user: { userId }, params, body: { version, drawings } }) => {
    const product = catalogue.find(params.product)?.productId
    if (product === undefined) return refuse('not_found')
    const content = toDrawings(drawings, product)
    const others = await countOtherDrawings(ctx.db, { userId, product })
    if (others + content.length > MAX_DRAWINGS)
      return refuse('too_many_drawings', { params: { max: String(MAX_DRAWINGS) } })
    const saved = await saveDesk(ctx.db, { userId, product, version, content })
    return saved === null ? refuse('desk_conflict') : answer(saved)
  })
}

function toSettings(content: unknown): DeskSettingsOut {
  const { indicators, ...settings } = readDeskSettings(Object(content) as Record<string, unknown>)
  return { ...settings, indicators: indicators.map((one) => ({ ...one, parameters: [...one.parameters] })) }
}

/** Reads the drawings of a symbol from stored or sent content. Everything that is no valid drawing is left out. */
function toDrawings(content: unknown, symbol: string): DrawingOut[] {
  const listed: readonly unknown[] = Array.isArray(content) ? content : []
  return listed.flatMap((one) => {
    const read = readDrawing({ ...Object(one), symbol })
    if (read === null) return []
    const { id, kind, points, colour } = read
    return [{ id, kind, points: [...points], colour }]
  })
}
