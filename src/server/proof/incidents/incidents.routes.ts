import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { calls } from '#contract/calls.ts'
import type { IncidentOut } from '#contract/incidents.ts'
import { toHex } from '#core/proof/bytes.ts'
import { refuse } from '#core/result.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { type IncidentsQuery, readIncidents } from '#server/proof/incidents/incidents.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

const PER_PAGE = 20
/** 5 s. Requests for the newest page within this time share one reply. */
const SHARED_MS = 5 * SECOND_MS

interface Page {
  readonly incidents: IncidentOut[]
  readonly next: string | null
}

/** `GET /api/proof/incidents`: lists price incidents. Needs no account. */
export function incidentsRoutes(register: Register, ctx: Ctx, catalogue: MarketCatalogue): void {
  const take = createRateLimiter(READ_LIMITS.incidents)
  let newest: { readonly at: number; readonly page: Promise<Page> } | null = null

  async function read(filters: Pick<IncidentsQuery, 'symbolId' | 'before'>): Promise<Page> {
    // One more row than shown tells whether there is a next page.
    const found = await readIncidents(ctx.db, { ...filters, limit: PER_PAGE + 1, now: ctx.now() })
    const shown = found.slice(0, PER_PAGE)
    const last = shown.at(-1)
    return {
      incidents: shown.map(({ symbolId, ...incident }) => ({
        ...incident,
        symbol: symbolId === null ? null : (catalogue.byId(symbolId)?.code ?? String(symbolId)),
      })),
      next: found.length > PER_PAGE && last ? `${last.from_ms}:${last.id}` : null,
    }
  }

  /** Most requests are for the first page, so its reply is shared. */
  function readNewest(): Promise<Page> {
    const now = ctx.now()
    if (newest !== null && now - newest.at < SHARED_MS) return newest.page
    const page = read({ symbolId: null, before: null })
    newest = { at: now, page }
    page.catch(() => {
      newest = null
    })
    return page
  }

  register(calls.proofIncidents, async ({ query, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const symbol = query.symbol === undefined ? null : catalogue.find(query.symbol)
    if (symbol === null && query.symbol !== undefined) return refuse('symbol_unknown')
    const before = query.before === undefined ? null : placeOf(query.before)
    const isNewest = symbol === null && before === null
    const page = await (isNewest ? readNewest() : read({ symbolId: symbol?.id ?? null, before }))
    const tag = toHex(sha256(new TextEncoder().encode(JSON.stringify(page)))).slice(0, 32)
    return answer(page, { tag })
  })
}

function placeOf(before: string): { fromMs: number; id: string } {
  const at = before.indexOf(':')
  return { fromMs: Number(before.slice(0, at)), id: before.slice(at + 1) }
}
