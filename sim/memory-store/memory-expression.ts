import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  IdentifierNode,
  type OperationNode,
  OperatorNode,
  OrNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  TableNode,
  ValueListNode,
  ValueNode,
} from 'kysely'
import type { Row } from './specs.ts'

/** The rows that an expression may refer to, by alias. Null for the missing side of a left join. */
export type Scope = ReadonlyMap<string, Row | null>

export function isTrue(node: OperationNode, scope: Scope): boolean {
  return evaluate(node, scope) === true
}

/** The value of an expression. Null also means unknown, as in SQL. */
export function evaluate(node: OperationNode, scope: Scope): unknown {
  if (ValueNode.is(node)) return node.value
  if (PrimitiveValueListNode.is(node)) return node.values
  if (ValueListNode.is(node)) return node.values.map((one) => evaluate(one, scope))
  if (ColumnNode.is(node)) return lookUp(scope, null, node.column.name)
  if (ReferenceNode.is(node)) return lookUp(scope, node.table?.table.identifier.name ?? null, columnName(node))
  if (ParensNode.is(node)) return evaluate(node.node, scope)
  if (AndNode.is(node)) return isTrue(node.left, scope) && isTrue(node.right, scope)
  if (OrNode.is(node)) return isTrue(node.left, scope) || isTrue(node.right, scope)
  if (RawNode.is(node)) return rawExpression(node, scope)
  if (BinaryOperationNode.is(node) && OperatorNode.is(node.operator)) {
    return compared(evaluate(node.leftOperand, scope), node.operator.operator, evaluate(node.rightOperand, scope))
  }
  throw new Error(`the memory store does not read ${node.kind}`)
}

export function columnName(node: OperationNode): string {
  if (ColumnNode.is(node)) return node.column.name
  if (ReferenceNode.is(node) && ColumnNode.is(node.column)) return node.column.column.name
  throw new Error('a column was expected')
}

export function tableAndAlias(node: OperationNode | undefined): { name: string; alias: string } {
  if (node !== undefined && AliasNode.is(node))
    return { name: tableAndAlias(node.node).name, alias: identifier(node.alias) }
  if (node === undefined || !TableNode.is(node)) throw new Error('a table was expected')
  const { name } = node.table.identifier
  return { name, alias: name }
}

export function identifier(node: OperationNode): string {
  if (IdentifierNode.is(node)) return node.name
  throw new Error('a name was expected')
}

function lookUp(scope: Scope, alias: string | null, column: string): unknown {
  if (alias !== null) {
    const row = scope.get(alias)
    if (row === undefined) throw new Error(`unknown alias ${alias}`)
    return row?.[column] ?? null
  }
  for (const row of scope.values()) if (row !== null && column in row) return row[column]
  return null
}

function compared(left: unknown, operator: string, right: unknown): boolean | null {
  if (operator === 'is') return left === right
  if (operator === 'is not') return left !== right
  if (left === null || right === null) return null
  if (operator === 'in') return (right as readonly unknown[]).some((one) => isEqual(left, one))
  const [a, b] = [left as number, right as number]
  switch (operator) {
    case '=':
      return isEqual(left, right)
    case '<>':
    case '!=':
      return !isEqual(left, right)
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      throw new Error(`the memory store does not know the operator ${operator}`)
  }
}

/** A bigint and a number can be equal. All other values must have the same type. */
function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === typeof right) return left === right
  const isNumeric = [left, right].every((one) => typeof one === 'number' || typeof one === 'bigint')
  return isNumeric && BigInt(left as number) === BigInt(right as number)
}

const SUM = /^(\w+) \+ $/
const ANY = /^(\w+)\.(\w+) = any\($/

/** Evaluates the SQL fragments inside built queries: `column + value` and `table.column = any(list)`. */
function rawExpression(node: RawNode, scope: Scope): unknown {
  const { sqlFragments, parameters } = node
  const [parameter] = parameters
  const value = parameter === undefined ? null : evaluate(parameter, scope)
  const any = anyOf(node)
  if (any !== null) return compared(lookUp(scope, any.alias, any.column), 'in', value)
  const [, column] = SUM.exec(sqlFragments[0] ?? '') ?? []
  if (column === undefined || sqlFragments[1] !== '') {
    throw new Error(`the memory store does not read the SQL ${sqlFragments.join('?')}`)
  }
  return (lookUp(scope, null, column) as bigint) + (value as bigint)
}

function anyOf({ sqlFragments: [begin = '', end = ''] }: RawNode): { alias: string; column: string } | null {
  const [, alias, column] = ANY.exec(begin) ?? []
  return alias !== undefined && column !== undefined && end.endsWith('[])') ? { alias, column } : null
}

/** The alias that a simple comparison refers to; null for other conditions. */
export function aliasOf(condition: OperationNode): string | null {
  if (RawNode.is(condition)) return anyOf(condition)?.alias ?? null
  if (!BinaryOperationNode.is(condition)) return null
  const { leftOperand, rightOperand } = condition
  if (!ReferenceNode.is(leftOperand) || ReferenceNode.is(rightOperand)) return null
  return leftOperand.table?.table.identifier.name ?? null
}
