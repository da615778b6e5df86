import { MIN_SPIKE_LIMIT, type PriceDistance } from '#core/markets/sources/price-distance.ts'
import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { toHex } from '#core/proof/bytes.ts'
import { entryHash } from '#core/register/entry.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CannotCheck, LogDiffers } from '../check-verdict.ts'
import type { ReadPage } from './provider-record.ts'

/**
 * Reads from the site's public list the source configurations that a tick log names. Returns the smallest limit of a
 * spike in them. Throws `LogDiffers` when the site shows another configuration than the tick log names, and
 * `CannotCheck` when it shows none.
 */
export async function publishedSpike(
  { log, symbol }: { readonly log: string; readonly symbol: string },
  configurations: ReadonlySet<string>,
  read: ReadPage,
): Promise<PriceDistance> {
  if (configurations.size === 0) return MIN_SPIKE_LIMIT
  const site = `${log.replace(/\/$/, '')}/api/proof/sources`
  const { data: list } = (await read(site)) as { data: { versions: readonly { number: number; hash: string }[] } }
  const found: PriceDistance[] = []
  for (const hash of configurations) {
    const version = list.versions.find((one) => one.hash === hash)
    if (version === undefined)
      throw new CannotCheck(`The site does not show the configuration ${hash} that the log names.`)
    const { data } = (await read(`${site}/${version.number}`)) as { data: { text: string } }
    if (toHex(entryHash(sha256, data.text)) !== hash)
      throw new LogDiffers(`The site shows another configuration than the log names: ${hash}.`)
    found.push(spikeOf(JSON.parse(data.text) as SourceConfiguration, symbol))
  }
  return { bp: Math.min(...found.map(({ bp }) => bp)), ticks: Math.min(...found.map(({ ticks }) => ticks)) }
}

/** The limit of a spike of a symbol. Computed prices have no limits. */
export function spikeOf({ limits, symbols }: SourceConfiguration, symbol: string): PriceDistance {
  const { spikeBp, spikeTicks } = symbols.find(({ code }) => code === symbol)?.limits ?? limits
  return { bp: spikeBp ?? MIN_SPIKE_LIMIT.bp, ticks: spikeTicks ?? MIN_SPIKE_LIMIT.ticks }
}
