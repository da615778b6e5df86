import { type KyselyPlugin, type RootOperationNode, RawNode } from 'kysely'
import type { Passwords } from '#server/platform/credentials/passwords.ts'

/** Records the work of a call in order: `gate`, `hash`, `attempt`, `message`, or `write` and a table. */
export class Costs implements KyselyPlugin {
  readonly list: string[] = []

  note(what: string): void {
    this.list.push(what)
  }

  /** Returns what was recorded since the last call. */
  take(): string[] {
    return this.list.splice(0)
  }

  readonly transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => {
    const what = writeOf(node)
    if (what !== null) this.note(what)
    return node
  }

  readonly transformResult: KyselyPlugin['transformResult'] = ({ result }) => Promise.resolve(result)

  readonly aroundPasswords = (passwords: Passwords): Passwords => ({
    hash: (secret, asker) => {
      this.note('hash')
      return passwords.hash(secret, asker)
    },
    verify: (stored, secret, asker) => {
      this.note('hash')
      return passwords.verify(stored, secret, asker)
    },
  })
}

const WRITES = /\b(?:insert into|update|delete from)\s+"?(\w+)"?/i

function writeOf(node: RootOperationNode): string | null {
  if (node.kind === 'RawNode') return named(WRITES.exec(RawNode.is(node) ? node.sqlFragments.join('?') : '')?.[1])
  if (node.kind === 'InsertQueryNode') return named(node.into?.table.identifier.name)
  if (node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode') {
    const text = JSON.stringify(node.kind === 'UpdateQueryNode' ? node.table : node.from)
    return named(/"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(text)?.[1])
  }
  return null
}

function named(table: string | undefined): string | null {
  if (table === undefined) return null
  if (table === 'attempt') return 'attempt'
  return table === 'outbox_message' ? 'message' : `write ${table}`
}
