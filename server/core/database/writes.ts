import type { Pool } from '#server/core/database/db-types.ts'

/** Tables whose rows somebody waits for. */
export const WATCHED_TABLES = [
  'audit',
  'audit_seal',
  'author_treatment',
  'ban',
  'channel_user',
  'community_user',
  'decision',
  'delivery',
  'erasure',
  'event',
  'signal',
  'tally_delta',
] as const
export type WatchedTable = (typeof WATCHED_TABLES)[number]

const KEPT = 1_000
const tablesByText = new Map<string, readonly string[]>()

/** The watched tables that a statement changes, by its text. */
export function tablesWritten(text: string): readonly string[] {
  const known = tablesByText.get(text)
  if (known !== undefined) return known
  const names = [...text.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)/gi)].map(
    ([, name]) => name ?? '',
  )
  const tables = WATCHED_TABLES.filter((table) => names.includes(table))
  if (tablesByText.size < KEPT) tablesByText.set(text, tables)
  return tables
}

type OnWritten = (tables: readonly string[]) => void

const subscribers = new WeakMap<Pool, Set<OnWritten>>()

/** Calls back after each commit of this process that changed watched tables; returns how to end that. */
export function onWritten(pool: Pool, subscriber: OnWritten): () => void {
  const ofPool = subscribers.get(pool) ?? new Set()
  subscribers.set(pool, ofPool.add(subscriber))
  return () => void ofPool.delete(subscriber)
}

export function publishWritten(pool: Pool, tables: readonly string[]): void {
  if (tables.length > 0) for (const subscriber of subscribers.get(pool) ?? []) subscriber(tables)
}
