import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ExchangeQuestion } from '#contract/exchange-rest.ts'
import type { TakeCall } from '#server/platform/http/rate-limit.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { callerOf } from '#server/platform/http/register-call.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'

/** An error reply in the form that one of the exchanges uses. */
export class ExchangeError {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    this.status = status
    this.body = body
  }
}

/** The error replies that any request can get. */
export interface CommonErrors {
  readonly tooMany: ExchangeError
  readonly fault: ExchangeError
  readonly notFound: ExchangeError
}

export interface ExchangeRoutesOptions extends MarketParts {
  readonly takeByAddress: TakeCall
}

type Say<Q extends ExchangeQuestion> = (
  request: FastifyRequest,
) => z.input<Q['reply']> | ExchangeError | Promise<z.input<Q['reply']> | ExchangeError>
/** Registers a request with its handler. */
export type Answer = <Q extends ExchangeQuestion>(question: Q, say: Say<Q>) => void

/** Creates the handler of one exchange's requests. Replies and failures have the form of that exchange. */
export function createAnswer(
  app: FastifyInstance,
  { ctx, takeByAddress }: ExchangeRoutesOptions,
  errors: CommonErrors,
): Answer {
  return (question, say) => {
    app.get(`/api${question.path}`, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const wait = takeByAddress(subnetOf(callerOf(request).address), ctx.now())
      if (wait > 0) return fail(reply.header('retry-after', String(wait)), errors.tooMany)
      try {
        const said = await say(request)
        return said instanceof ExchangeError ? fail(reply, said) : said
      } catch (error) {
        const facts = { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url }
        ctx.log.error(facts, 'a call failed')
        return fail(reply, errors.fault)
      }
    })
  }
}

/** Replies to all other requests under an address, including unreadable requests, in the exchange's form. */
export function refuseOthers(app: FastifyInstance, prefix: string, { notFound }: CommonErrors): void {
  const refuse = (_: unknown, reply: FastifyReply) =>
    reply.code(notFound.status).header('cache-control', 'no-store').send(notFound.body)
  void app.register(
    async (scope) => {
      scope.setNotFoundHandler((request, reply) => void refuse(request, reply))
      // The built web app would otherwise reply for every address without a route.
      scope.get('/*', { config: { refusesAll: true } }, (request, reply) => void refuse(request, reply))
      scope.setErrorHandler((error, request, reply) => void refuse([error, request], reply))
    },
    { prefix },
  )
}

function fail(reply: FastifyReply, { status, body }: ExchangeError) {
  void reply.code(status)
  return body
}
