/**
 * Matches one piece of SQL. Comments, strings, quoted names and dollar-quoted bodies are one piece each: a semicolon in
 * them ends nothing.
 */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|[\s\S]/gi

const COMMENT = /^(--|\/\*)/

/**
 * Splits a file into statements, each with the comments above it and without its semicolon. PostgreSQL runs a text of
 * several statements as one transaction, so statements that must run alone are sent one by one. Bodies in `begin
 * atomic` are not supported: quote them with dollars.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let isEmpty = true
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ';') {
      if (!isEmpty) statements.push(statement.trim())
      statement = ''
      isEmpty = true
      continue
    }
    statement += piece
    if (!COMMENT.test(piece) && piece.trim() !== '') isEmpty = false
  }
  if (!isEmpty) statements.push(statement.trim())
  return statements
}

/** Removes the comments above a statement. */
export function withoutLeadingComments(statement: string): string {
  return statement.replace(/^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '')
}
