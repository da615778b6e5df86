import {
  AggregateFunctionNode,
  AliasNode,
  AndNode,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  type QueryResult,
  RawNode,
  ReferenceNode,
  SelectAllNode,
  SelectQueryNode,
  UpdateQueryNode,
  ValuesNode,
} from 'kysely'
import { aliasOf, columnName, evaluate, identifier, isTrue, type Scope, tableAndAlias } from './memory-expression.ts'
import { DatabaseError, type MemoryTable, type StoredRow } from './memory-table.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import { runRaw } from './raw-statements.ts'
import type { Row } from './specs.ts'

/** One row of the joined tables of a query: by alias, with the stored rows behind it. */
interface Joined {
  readonly scope: Scope
  readonly stored: ReadonlyMap<string, { readonly table: MemoryTable; readonly stored: StoredRow }>
}

/** Runs a built query in a transaction. Throws for an unsupported kind of query instead of guessing. */
export async function runQuery(tx: MemoryTransaction, query: OperationNode): Promise<QueryResult<Row>> {
  if (SelectQueryNode.is(query)) return { rows: await select(tx, query) }
  if (InsertQueryNode.is(query)) return await insert(tx, query)
  if (UpdateQueryNode.is(query)) return await update(tx, query)
  if (DeleteQueryNode.is(query)) return await remove(tx, query)
  if (RawNode.is(query)) return { rows: await runRaw(tx, query) }
  throw new Error(`the memory store does not read ${query.kind}`)
}

async function select(tx: MemoryTransaction, query: SelectQueryNode): Promise<Row[]> {
  const counted = countedQuery(query)
  if (counted !== null) return [{ count: BigInt((await select(tx, counted)).length) }]
  let found = ordered(query, joined(tx, query))
  const modifiers = query.endModifiers ?? []
  if (modifiers.length > 0) {
    for (;;) {
      const of = modifiers.flatMap((modifier) => (modifier.of ?? []).map((node) => tableAndAlias(node).alias))
      let waited = false
      for (const { stored } of found) {
        for (const [alias, row] of stored) {
          if (row.table.spec.isLockless === true) continue
          if (of.length === 0 || of.includes(alias)) waited = (await tx.lock(row.table, row.stored)) || waited
        }
      }
      if (!waited) break
      // While the statement waited for the lock of a row, the row may have changed and may no longer match.
      found = ordered(query, joined(tx, query))
    }
  }
  const picked = found.map(({ scope }) => project(query, scope))
  const distinct = query.frontModifiers?.some(({ modifier }) => modifier === 'Distinct') ? unique(picked) : picked
  const others: Row[] = []
  for (const { operator, all, expression } of query.setOperations ?? []) {
    if (operator !== 'union' || !all || !SelectQueryNode.is(expression)) throw new Error('only union all is supported')
    others.push(...(await select(tx, expression)))
  }
  return [...distinct, ...others]
}

/** `select count(*) as count from (another query)`: returns the inner query. */
function countedQuery({ from, selections }: SelectQueryNode): SelectQueryNode | null {
  const [source] = from?.froms ?? []
  const [only] = selections ?? []
  if (source === undefined || !AliasNode.is(source) || !SelectQueryNode.is(source.node)) return null
  const isCount = only !== undefined && AliasNode.is(only.selection) && AggregateFunctionNode.is(only.selection.node)
  if (!isCount || only.selection.node.func !== 'count') throw new Error('only count(*) is supported on an inner query')
  return source.node
}

function joined(tx: MemoryTransaction, query: SelectQueryNode): Joined[] {
  const [from] = query.from?.froms ?? []
  if (from === undefined) throw new Error('a query needs a table to select from')
  const wanted = conditions(query.where?.where)
  const joins = query.joins ?? []
  const { alias: first } = tableAndAlias(from)
  const isLate = (condition: OperationNode) => joins.length > 0 && aliasOf(condition) !== first
  let found = all(
    tx,
    from,
    new Map(),
    wanted.filter((condition) => !isLate(condition)),
  )
  for (const { joinType, table, on } of joins) {
    if (joinType !== 'InnerJoin' && joinType !== 'LeftJoin')
      throw new Error(`the memory store does not support ${joinType}`)
    const { alias } = tableAndAlias(table)
    const pairs = conditions(on?.on)
    found = found.flatMap((left): readonly Joined[] => {
      const right = all(tx, table, left.scope, pairs).map((one) => ({
        scope: one.scope,
        stored: new Map([...left.stored, ...one.stored]),
      }))
      if (right.length > 0 || joinType === 'InnerJoin') return right
      return [{ scope: new Map([...left.scope, [alias, null]]), stored: left.stored }]
    })
  }
  const late = wanted.filter(isLate)
  return late.length === 0 ? found : found.filter(({ scope }) => late.every((condition) => isTrue(condition, scope)))
}

/** The parts of a condition joined by `and`. */
function conditions(node: OperationNode | undefined): OperationNode[] {
  if (node === undefined) return []
  return AndNode.is(node) ? [...conditions(node.left), ...conditions(node.right)] : [node]
}

/** The matching rows of a table, each joined with the rows before it. */
function all(tx: MemoryTransaction, node: OperationNode, from: Scope, wanted: readonly OperationNode[]): Joined[] {
  const { name, alias } = tableAndAlias(node)
  const table = tx.table(name)
  const found: Joined[] = []
  for (const stored of table.rows) {
    const row = tx.see(stored)
    if (row === null) continue
    const scope = new Map(from)
    scope.set(alias, row)
    if (wanted.every((condition) => isTrue(condition, scope))) {
      found.push({ scope, stored: new Map([[alias, { table, stored }]]) })
    }
  }
  return found
}

function ordered(query: SelectQueryNode, found: Joined[]): Joined[] {
  const items = (query.orderBy?.items ?? []).map(({ orderBy, direction }) => ({
    orderBy,
    sign: direction !== undefined && RawNode.is(direction) && direction.sqlFragments[0] === 'desc' ? -1 : 1,
  }))
  const byItems = (a: Joined, b: Joined): number => {
    for (const { orderBy, sign } of items) {
      const order = compare(evaluate(orderBy, a.scope), evaluate(orderBy, b.scope))
      if (order !== 0) return order * sign
    }
    return 0
  }
  const sorted = items.length === 0 ? found : found.toSorted(byItems)
  const offset = query.offset === undefined ? 0 : Number(evaluate(query.offset.offset, new Map()))
  const limit = query.limit === undefined ? sorted.length : Number(evaluate(query.limit.limit, new Map()))
  return sorted.slice(offset, offset + limit)
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [a as number, b as number]
  return left < right ? -1 : left > right ? 1 : 0
}

function project(query: SelectQueryNode, scope: Scope): Row {
  const [only, ...more] = query.selections ?? []
  if (only !== undefined && more.length === 0 && scope.size === 1 && SelectAllNode.is(only.selection)) {
    for (const row of scope.values()) return { ...row }
  }
  const picked: Record<string, unknown> = {}
  for (const { selection } of query.selections ?? []) {
    if (SelectAllNode.is(selection)) for (const row of scope.values()) Object.assign(picked, row)
    else if (ReferenceNode.is(selection) && SelectAllNode.is(selection.column)) {
      Object.assign(picked, scope.get(selection.table?.table.identifier.name ?? ''))
    } else if (AliasNode.is(selection)) picked[identifier(selection.alias)] = evaluate(selection.node, scope)
    else picked[columnName(selection)] = evaluate(selection, scope)
  }
  return picked
}

function unique(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [Object.values(row).join('|'), row])).values()]
}

async function insert(tx: MemoryTransaction, query: InsertQueryNode): Promise<QueryResult<Row>> {
  const table = tx.table(query.into?.table.identifier.name ?? '')
  const columns = (query.columns ?? []).map(({ column }) => column.name)
  const { values } = query
  if (values === undefined || !ValuesNode.is(values)) throw new Error('only inserts of values are supported')
  let written = 0n
  for (const item of values.values) {
    const cells = evaluate(item, new Map()) as readonly unknown[]
    const row: Record<string, unknown> = {}
    for (const [at, column] of columns.entries()) row[column] = cells[at]
    const { onConflict } = query
    if (await tx.tryInsert(table, row)) written += 1n
    else if (onConflict === undefined) {
      throw new DatabaseError('23505', `duplicate key value violates unique constraint of ${table.name}`)
    } else if (onConflict.updates !== undefined) {
      const key = table.keyOf(table.toStored(row))
      const there = table.having(key ?? '').find((stored) => tx.see(stored) !== null)
      if (there === undefined) throw new Error('the memory store updates only on a conflict of the primary key')
      await tx.lock(table, there)
      const current = tx.see(there)
      const scope = new Map([[table.name as string, current]])
      tx.update(table, there, changes(onConflict.updates, scope))
      written += 1n
    }
  }
  return { rows: [], numAffectedRows: written }
}

async function update(tx: MemoryTransaction, query: UpdateQueryNode): Promise<QueryResult<Row>> {
  let written = 0n
  await eachMatch(tx, query.table, query.where?.where, (table, stored, scope) => {
    tx.update(table, stored, changes(query.updates ?? [], scope))
    written += 1n
  })
  return { rows: [], numAffectedRows: written }
}

async function remove(tx: MemoryTransaction, query: DeleteQueryNode): Promise<QueryResult<Row>> {
  const removed: Row[] = []
  await eachMatch(tx, query.from.froms[0], query.where?.where, (_table, stored) => {
    removed.push(tx.see(stored) ?? {})
    tx.remove(stored)
  })
  return { rows: query.returning === undefined ? [] : removed, numAffectedRows: BigInt(removed.length) }
}

/** Each matching row, locked. Rows are checked again after a wait, as at READ COMMITTED. */
async function eachMatch(
  tx: MemoryTransaction,
  node: OperationNode | undefined,
  where: OperationNode | undefined,
  act: (table: MemoryTable, stored: StoredRow, scope: Scope) => void,
): Promise<void> {
  const { name, alias } = tableAndAlias(node)
  const table = tx.table(name)
  const fits = (stored: StoredRow): Scope | null => {
    const row = tx.see(stored)
    const scope = new Map([[alias, row]])
    return row !== null && (where === undefined || isTrue(where, scope)) ? scope : null
  }
  for (const stored of [...table.rows].filter((one) => fits(one) !== null)) {
    await tx.lock(table, stored)
    const scope = fits(stored)
    if (scope !== null) act(table, stored, scope)
  }
}

function changes(updates: NonNullable<UpdateQueryNode['updates']>, scope: Scope): Row {
  return Object.fromEntries(updates.map(({ column, value }) => [columnName(column), evaluate(value, scope)]))
}
