import { z } from 'zod'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { AppSocketIn, AppSocketOut, MESSAGE_KEYS } from '#contract/live/app-socket.ts'
import { StreamSocketIn, StreamSocketOut } from '#contract/live/stream-socket.ts'
import { TickerSocketIn, TickerSocketOut } from '#contract/live/ticker-socket.ts'
import { exchangeRest, type ExchangeQuestion } from '#contract/exchange-rest.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import { TickDayParams, TickDayQuery } from '#contract/tick-days.ts'

type JsonObject = Record<string, unknown>

/** Builds the OpenAPI 3.1 document of every call from the contract. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, call] of Object.entries<Call>(calls)) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) }
  }
  for (const [name, question] of Object.entries<ExchangeQuestion>(exchangeRest))
    paths[question.path.replace(/:(\w+)/g, '{$1}')] = { get: exchangeQuestion(name, question) }
  paths['/ticks/{file}'] = { get: tickDayFile() }
  return {
    openapi: '3.1.0',
    info: { title: 'Fairwick', version: '1', description: 'Timed up/down trading. Success is always status 200.' },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' }, key: KEY_SCHEME },
      schemas: { Failure: FAILURE },
    },
  }
}

/** The AsyncAPI 3 document of the sockets. */
export function asyncApiDocument(): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Fairwick sockets', version: '1' },
    channels: {
      app: {
        address: '/ws/app',
        messages: {
          ...Object.fromEntries(AppSocketIn.options.map((option) => [option.shape.action.value, appMessage(option)])),
          out: { payload: jsonSchema(AppSocketOut, 'output') },
        },
      },
      streams: {
        address: '/ws/{streams}',
        description:
          'Streams with `/` between, such as `btcusdt@kline_1m`, `aapl@miniTicker`, `eurusd@ticker`, `btcusdt@trade`; or `/ws` alone, and SUBSCRIBE. At `/stream?streams={streams}` each message names its stream.',
        parameters: { streams: {} },
        messages: {
          in: { payload: jsonSchema(StreamSocketIn, 'input') },
          out: { payload: jsonSchema(StreamSocketOut, 'output') },
        },
      },
      ticker: {
        address: '/ws/ticker',
        messages: {
          in: { payload: jsonSchema(TickerSocketIn, 'input') },
          out: { payload: jsonSchema(TickerSocketOut, 'output') },
        },
      },
    },
    operations: {
      say: { action: 'receive', channel: { $ref: '#/channels/app' } },
      hear: { action: 'send', channel: { $ref: '#/channels/app' } },
      sayToTicker: { action: 'receive', channel: { $ref: '#/channels/ticker' } },
      hearTicker: { action: 'send', channel: { $ref: '#/channels/ticker' } },
      sayToStreams: { action: 'receive', channel: { $ref: '#/channels/streams' } },
      hearStreams: { action: 'send', channel: { $ref: '#/channels/streams' } },
    },
    components: { securitySchemes: { key: KEY_SCHEME } },
  }
}

const KEY_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'fwk_',
  description:
    'A key for programs. `x-key-scope` of a call names the scope it needs: `read`, `trade` (which includes `read`), or `never`. A key in an address is refused and ended.',
}

const FAILURE = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    request_id: { type: 'string' },
  },
}

function operation(name: string, call: Call): JsonObject {
  return {
    operationId: name,
    tags: [topicOf(call.path)],
    summary: call.summary,
    security: [...(call.who === 'anyone' ? [{}] : []), { token: [] }, ...(call.key === 'never' ? [] : [{ key: [] }])],
    'x-key-scope': call.key,
    ...inputOf(call),
    responses: { 200: success(call), ...failures(call) },
  }
}

/** A message of a client on `/ws/app`. Its `token` is a session token or an API key. */
function appMessage(option: (typeof AppSocketIn.options)[number]): JsonObject {
  return { payload: jsonSchema(option, 'input'), 'x-key-scope': MESSAGE_KEYS[option.shape.action.value] }
}

/** The input of a call in OpenAPI form. */
export function inputOf({ multipart, params, query, body }: Pick<Call, 'multipart' | 'params' | 'query' | 'body'>) {
  const type = multipart ? 'multipart/form-data' : 'application/json'
  return {
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body && { requestBody: { required: true, content: { [type]: { schema: jsonSchema(body, 'input') } } } }),
  }
}

/** Describes a call that answers in the format of crypto exchanges, without the `data` envelope of other calls. */
function exchangeQuestion(name: string, { path, summary, params, query, reply }: ExchangeQuestion): JsonObject {
  const text = { type: 'string' }
  const error = { type: 'object', properties: path.startsWith('/v3/') ? { code: WHOLE, msg: text } : { message: text } }
  return {
    operationId: `exchange_${name}`,
    tags: ['exchange clients'],
    summary,
    security: [{}],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: jsonSchema(reply, 'output') } } },
      400: { description: 'In the exchanges’ form.', content: { 'application/json': { schema: error } } },
    },
  }
}

/** Describes the file with the ticks of a day. Its route is the only documented route that is not defined as a call. */
function tickDayFile(): JsonObject {
  const codes = ['not_found', 'symbol_unknown', 'rate_limited', 'busy'] as const
  const days = ['tick_day_open', 'tick_day_empty', 'tick_day_dropped'] as const
  return {
    operationId: 'tickDay',
    tags: ['ticks'],
    summary: 'A past day of the tick log as CSV, with the hashes that prove it.',
    security: [{}],
    parameters: [...parameters(TickDayParams, 'path'), ...parameters(TickDayQuery, 'query')],
    responses: {
      200: { description: 'The day, streamed.', content: { 'text/csv': { schema: { type: 'string' } } } },
      304: { description: 'What `If-None-Match` names still holds.' },
      ...failureReplies([...codes, ...days]),
    },
  }
}

function success(call: Call): JsonObject {
  if (call.file !== undefined) {
    return { description: 'The file, streamed.', content: { [call.file]: { schema: { type: 'string' } } } }
  }
  const properties = {
    data: jsonSchema(call.reply, 'output'),
    message: { type: 'string' },
    ...(call.paged && { meta: PAGE_META }),
    ...(call.meta && { meta: jsonSchema(call.meta, 'output') }),
  }
  return {
    description: 'Done.',
    content: { 'application/json': { schema: { type: 'object', required: ['data'], properties } } },
  }
}

/** Returns the topic of a path: `auth` for `/user/auth/login`. */
function topicOf(path: string): string {
  const [, first = '', second] = path.split('/')
  return second ?? first
}

const WHOLE = { type: 'integer' }
const PAGE_META = { type: 'object', properties: { page: WHOLE, per_page: WHOLE, total: WHOLE, pages: WHOLE } }

/** Describes the refusals of a call by HTTP status, with the refusal codes that a reply of this status can have. */
function failures(call: Call): JsonObject {
  const codes = [
    'bad_request',
    'rate_limited',
    ...(call.method === 'GET' ? [] : (['foreign_origin'] as const)),
    'not_signed_in',
    'key_not_allowed',
    ...(call.who === 'anyone' || call.leaving ? [] : (['leave_only'] as const)),
    ...(call.who === 'verified' ? (['not_verified'] as const) : []),
    ...call.refusals,
  ] as const satisfies readonly RefusalCode[]
  return failureReplies(codes)
}

function failureReplies(codes: readonly RefusalCode[]): JsonObject {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of new Set(codes)) {
    const { status } = REFUSALS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } }
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, { description: some.join(', '), content }]))
}

function parameters(schema: z.ZodType | undefined, where: 'path' | 'query'): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !field.safeParse(undefined).success,
    schema: jsonSchema(field, 'input'),
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
