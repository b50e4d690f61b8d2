import type { SpanStart } from '#server/core/tracing.ts'

const KEPT = 1_000
const spans = new Map<string, SpanStart>()

/**
 * The span of a statement, named by what it does first and to which table: `select comment`. Not its text and never its values; PostgreSQL
 * shows the text of a named one in `pg_prepared_statements`.
 */
export function statementSpan(text: string, name: string): SpanStart {
  const known = spans.get(text)
  if (known !== undefined) return known
  const [, operation = 'statement'] = /\b(select|insert|update|delete)\b/i.exec(text) ?? []
  const [, table] = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)/i.exec(text) ?? []
  const summary = [operation.toLowerCase(), ...(table === undefined ? [] : [table])].join(' ')
  const span: SpanStart = {
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      ...(name !== '' && { 'docket.statement.name': name }),
    },
  }
  if (spans.size < KEPT) spans.set(text, span)
  return span
}
