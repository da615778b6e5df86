import type { Ctx } from '#server/context.ts'
import type { FeedsFileProvider } from '#server/feeds/market/feeds-file.ts'
import type { ReadFeeds } from '#server/feeds/market/read-feeds-file.ts'
import type { Provider, ProviderOptions } from '#server/feeds/providers/provider.ts'
import { StartUpError } from '#server/start-up-error.ts'

export interface ProvidersWanted {
  readonly read: Pick<ReadFeeds, 'providers'>
  readonly keyOf: (variable: string) => string | undefined
  readonly tools: Pick<Ctx, 'clock' | 'randomBytes'>
  /** The names of those that a symbol needs. */
  readonly used: ReadonlySet<string>
}

/** Makes the providers of a file; none of them connects before it is started. */
export async function createProviders({
  read,
  keyOf,
  tools,
  used,
}: ProvidersWanted): Promise<ReadonlyMap<string, Provider>> {
  const made = [...read.providers]
    .filter(([name]) => used.has(name))
    .map(async ([name, row]) => [name, await createProvider(row, optionsOf(name, row, keyOf), tools)] as const)
  return new Map(await Promise.all(made))
}

function optionsOf(
  name: string,
  { url, restUrl, keyFrom }: FeedsFileProvider,
  keyOf: ProvidersWanted['keyOf'],
): ProviderOptions {
  const key = keyFrom === undefined ? undefined : keyOf(keyFrom)
  return {
    name,
    ...(url !== undefined && { url }),
    ...(restUrl !== undefined && { restUrl }),
    ...(key !== undefined && { key }),
  }
}

async function createProvider(
  { kind }: FeedsFileProvider,
  { name }: ProviderOptions,
  _tools: Pick<Ctx, 'clock' | 'randomBytes'>,
): Promise<Provider> {
  await Promise.resolve()
  throw new StartUpError(`providers.${name}: ${kind} cannot be spoken yet`)
}
