const LOGS = new Set(['debug', 'info', 'warn', 'error'])

/** `log.warn(…)` and the like, on whatever `log` hangs, by itself or behind an `if` of its own. */
function isLog({ type, expression, consequent, alternate }) {
  if (type === 'IfStatement') return alternate === null && isLog(consequent)
  if (type !== 'ExpressionStatement' || expression.type !== 'CallExpression') return false
  const { callee } = expression
  if (callee.type !== 'MemberExpression' || !LOGS.has(callee.property.name)) return false
  const { object } = callee
  return (object.property ?? object).name === 'log'
}

/** For Stryker: what is written to the log decides about nothing. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'logs',
    value: {
      shouldIgnore: (path) => (isLog(path.node) ? 'it only tells' : undefined),
    },
  },
]
