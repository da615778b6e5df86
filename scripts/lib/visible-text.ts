import ts from 'typescript'

export interface VisibleText {
  readonly line: number
  readonly text: string
}

/** Attributes and properties that users see or hear. */
const SHOWN =
  /^(?:aria-(?:label|description|roledescription|valuetext|placeholder)|title|alt|placeholder|label|labels|heading|caption|summary|hint|tooltip|spoken|reason|message|text|subject|description|content|\w+Label|\w+Text)$/
/** Attributes that match the pattern but contain no text. */
const NOT_WORDS = new Set(['className', 'autoComplete', 'inputMode'])

/**
 * Finds text that is written in a component instead of the messages: text between tags, and text in displayed
 * attributes and properties. `allowed` lists texts that are the same in every language: names, symbols, units.
 */
export function findVisibleText(fileName: string, source: string, allowed: ReadonlySet<string>): VisibleText[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true, kindOf(fileName))
  const found: VisibleText[] = []
  const tell = (node: ts.Node, text: string): void => {
    if (!hasWords(text, allowed)) return
    found.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text: text.trim() })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) tell(node, node.text)
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) literalsIn(node.expression, tell)
    else if (ts.isJsxAttribute(node) && isShown(node.name.getText(file))) literalsIn(valueOf(node), tell)
    else if (ts.isPropertyAssignment(node) && isInComponent(fileName) && isShown(nameOf(node))) {
      literalsIn(node.initializer, tell)
    } else if (ts.isBinaryExpression(node) && isDocumentTitle(node)) literalsIn(node.right, tell)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Finds the texts an expression may evaluate to: both branches of a condition, and all parts of a concatenation. */
function literalsIn(node: ts.Expression | undefined, tell: (node: ts.Node, text: string) => void): void {
  if (node === undefined) return
  const both = (...parts: ts.Expression[]): void => parts.forEach((part) => literalsIn(part, tell))
  if (ts.isStringLiteralLike(node)) tell(node, node.text)
  else if (ts.isTemplateExpression(node)) {
    tell(node, [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' '))
  } else if (ts.isConditionalExpression(node)) both(node.whenTrue, node.whenFalse)
  else if (ts.isParenthesizedExpression(node)) both(node.expression)
  else if (ts.isArrayLiteralExpression(node)) both(...node.elements)
  else if (ts.isObjectLiteralExpression(node)) {
    both(...node.properties.filter(ts.isPropertyAssignment).map(({ initializer }) => initializer))
  } else if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) both(node.right)
    else if (JOINING.has(kind)) both(node.left, node.right)
  }
}

const JOINING = new Set([ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken])

function hasWords(text: string, allowed: ReadonlySet<string>): boolean {
  return (text.match(/\p{L}[\p{L}\p{M}\d]*/gu) ?? []).some((word) => !allowed.has(word))
}

function isShown(name: string): boolean {
  return SHOWN.test(name) && !NOT_WORDS.has(name)
}

function valueOf({ initializer }: ts.JsxAttribute): ts.Expression | undefined {
  if (initializer === undefined || !ts.isJsxExpression(initializer)) return initializer
  return initializer.expression
}

function nameOf({ name }: ts.PropertyAssignment): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''
}

function isDocumentTitle({ left, operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === ts.SyntaxKind.EqualsToken && left.getText() === 'document.title'
}

/** Only components render text. Elsewhere, `text` and `message` are often names of other things. */
function isInComponent(fileName: string): boolean {
  return fileName.endsWith('.tsx')
}

function kindOf(fileName: string): ts.ScriptKind {
  return isInComponent(fileName) ? ts.ScriptKind.TSX : ts.ScriptKind.TS
}
