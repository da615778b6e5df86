import { expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { MESSAGE_KEYS } from '#contract/live/app-socket.ts'
import { asyncApiDocument, openApiDocument } from '#server/platform/http/open-api.ts'

/** The parts of the documents that these tests read. */
interface Documents {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> }
  readonly channels: { readonly app: { readonly messages: Readonly<Record<string, object>> } }
}

const read = (document: object): Documents => JSON.parse(JSON.stringify(document))

it('each call names the scope that a key needs, and whether a key is accepted at all', () => {
  const { paths, components } = read(openApiDocument())
  expect(components.securitySchemes['key']).toMatchObject({ type: 'http', scheme: 'bearer', bearerFormat: 'fwk_' })
  for (const call of Object.values<Call>(calls)) {
    const operation = paths[call.path.replace(/:(\w+)/g, '{$1}')]?.[call.method.toLowerCase()]
    expect(operation).toMatchObject({ 'x-key-scope': call.key })
    const accepts =
      JSON.stringify(operation).includes('"security":') && JSON.stringify(operation).includes('{"key":[]}')
    expect(accepts, call.path).toBe(call.key !== 'never')
  }
})

it('each message of the app socket names the scope that a key needs', () => {
  const { channels, components } = read(asyncApiDocument())
  expect(components.securitySchemes).toHaveProperty('key')
  for (const [action, scope] of Object.entries(MESSAGE_KEYS))
    expect(channels.app.messages[action]).toMatchObject({ 'x-key-scope': scope })
})
