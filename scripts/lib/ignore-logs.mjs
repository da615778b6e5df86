const LOGS = new Set(['debug', 'info', 'warn', 'error'])

/** Whether a statement is a call such as `log.warn(…)` on any object, alone or as the only branch of an `if`. */
function isLog({ type, expression, consequent, alternate }) {
  if (type === 'IfStatement') return alternate === null && isLog(consequent)
  if (type !== 'ExpressionStatement' || expression.type !== 'CallExpression') return false
  const { callee } = expression
  if (callee.type !== 'MemberExpression' || !LOGS.has(callee.property.name)) return false
  const { object } = callee
  return (object.property ?? object).name === 'log'
}

/** A Stryker plugin that ignores log calls, as they affect no behaviour. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'logs',
    value: {
      shouldIgnore: (path) => (isLog(path.node) ? 'it only tells' : undefined),
    },
  },
]
