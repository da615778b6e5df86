import { AT_ONCE_LIMITS, READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Failure } from '#contract/call.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { TICK_DAY_PATH, TickDayParams, TickDayQuery } from '#contract/tick-days.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { callerOf } from '#server/platform/http/register-call.ts'
import { refusalReply } from '#server/platform/http/replies.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { findTickDay, readDay, type TickDay } from '#server/market-data/tick-archive/tick-day.ts'
import { tickDayCsv } from '#server/market-data/tick-archive/tick-day-csv.ts'

export interface TicksRoutesOptions {
  readonly ctx: Ctx
  readonly catalogue: MarketCatalogue
  readonly language: (request: FastifyRequest) => Language
}

/** `GET /api/ticks/{day}.csv`: a past day of the tick log, without log-in, streamed at the reader's pace. */
export function ticksRoutes(app: FastifyInstance, { ctx, catalogue, language }: TicksRoutesOptions): void {
  const take = createRateLimiter(READ_LIMITS.tick_files)
  let running = 0

  app.get(`/api${TICK_DAY_PATH}`, async (request, reply) => {
    const lookup = await find(request)
    if (!lookup.ok) {
      const { status, headers, body } = refusalReply(lookup, language(request))
      void reply.code(status).headers(headers).header('cache-control', 'no-store')
      return body satisfies Failure
    }
    const { day, symbol } = lookup.value
    const tag = `"${[Buffer.from(day.hash).toString('hex').slice(0, 32), symbol?.code ?? 'all', '2'].join('-')}"`
    void reply.header('etag', tag).header('cache-control', 'public, max-age=3600')
    if (request.headers['if-none-match']?.includes(tag) === true) return reply.code(304).send()
    return send(reply, day, symbol)
  })

  async function find(
    request: FastifyRequest,
  ): Promise<Result<{ day: TickDay; symbol: ListedSymbol | null }, RefusalCode>> {
    const params = TickDayParams.safeParse(request.params)
    const query = TickDayQuery.safeParse(request.query)
    const start = params.success ? readDay(params.data.file.slice(0, -'.csv'.length)) : null
    if (start === null || !query.success) return refuse('not_found')
    const { symbol: name } = query.data
    const symbol = name === undefined ? null : catalogue.find(name)
    if (name !== undefined && symbol === null) return refuse('symbol_unknown')
    const wait = take(subnetOf(callerOf(request).address), ctx.now())
    if (wait > 0) return refuse('rate_limited', { params: { seconds: wait } })
    if (running >= AT_ONCE_LIMITS.tick_files.max) return refuse('busy')
    const day = await findTickDay(ctx.db, start, ctx.now())
    return day.ok ? ok({ day: day.value, symbol }) : day
  }

  function send(reply: FastifyReply, day: TickDay, symbol: ListedSymbol | null): FastifyReply {
    const name = ['ticks', day.day, ...(symbol ? [symbol.code] : [])].join('-')
    const lines = Readable.from(tickDayCsv({ db: ctx.db, catalogue, day, symbol }), { objectMode: false })
    running += 1
    lines.once('close', () => {
      running -= 1
    })
    lines.once('error', (error) =>
      ctx.log.warn({ err: error, day: day.day }, 'the download of a day of ticks was not completed'),
    )
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .header('x-content-type-options', 'nosniff')
    return reply.send(lines)
  }
}
