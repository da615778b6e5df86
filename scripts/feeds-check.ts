// `npm run feeds:check [-- FILE] [--seconds N]` connects to every configured provider and prints its state. Exit codes:
// 0 all providers work, 1 there is a problem.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/app/config/config.ts'
import { describeSources } from '#server/market-data/feeds/check/describe-sources.ts'
import { judgeSources } from '#server/market-data/feeds/check/judge-sources.ts'
import { probeSources } from '#server/market-data/feeds/check/probe-sources.ts'
import { createProviders } from '#server/market-data/feeds/multi-source/create-providers.ts'
import { planSources } from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { readFeedsFile } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import type { FeedsPlace } from '#server/market-data/feeds/base/feeds-config.ts'
import { cannotStart, StartUpError } from '#server/platform/runtime/startup-error.ts'
import { createTools } from '#server/platform/context/create-context.ts'

const SECONDS = 20

try {
  process.exitCode = (await check()) ? 0 : 1
} catch (error) {
  console.error(error instanceof StartUpError ? error.message : error)
  process.exitCode = 1
}

async function check(): Promise<boolean> {
  const { place, seconds } = readArguments()
  const keyOf = (variable: string) => process.env[variable]?.trim() || undefined
  const read = readFeedsFile(place)
  // The configured keys decide which sources can be used. The rules of a demo are less strict.
  const plan = planSources({ read, mode: 'demo', stored: [], hasKey: (name) => keyOf(name) !== undefined })
  if (plan.problems.length > 0) throw cannotStart(plan.problems)
  for (const note of plan.notes) console.log(`! ${note}`)
  const used = new Set(plan.symbols.flatMap(({ sources }) => sources.map(({ provider }) => provider)))
  const tools = createTools()
  const providers = await createProviders({ read: plan, keyOf, tools, used })
  console.log(`Listening to ${[...used].join(', ')} for ${seconds} seconds …`)
  const probes = await probeSources({ clock: tools.clock, providers, symbols: plan.symbols, seconds })
  const judged = judgeSources(probes, seconds, tools.clock.now())
  const secrets = [...read.providers.values()].flatMap(({ keyFrom }) => (keyFrom && keyOf(keyFrom)) || [])
  for (const line of describeSources(judged))
    console.log(secrets.reduce((text, key) => text.replaceAll(key, '…'), line))
  return judged.every(({ problems }) => problems.length === 0)
}

function readArguments(): { place: FeedsPlace; seconds: number } {
  const { values, positionals } = parseArgs({
    options: { seconds: { type: 'string', default: String(SECONDS) } },
    allowPositionals: true,
  })
  const seconds = Number(values.seconds)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600)
    throw new StartUpError('--seconds must be a whole number from 1 to 3600')
  const [file] = positionals
  if (file !== undefined) return { place: { kind: 'path', path: resolve(file) }, seconds }
  const { feeds } = readConfig({ FAIRWICK_FEEDS: process.env['FAIRWICK_FEEDS'] })
  // If the configuration names no feeds file, the command checks the providers of the shipped file.
  return { place: feeds.kind === 'file' ? feeds.place : { kind: 'shipped' }, seconds }
}
