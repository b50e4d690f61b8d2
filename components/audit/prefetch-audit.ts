import { type AuditSearch, toAuditInput } from '#components/kit/addresses/audit-search.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

/** Prefetches the first paint of the log. */
export async function prefetchAudit(search: AuditSearch): Promise<void> {
  const queryClient = getQueryClient()
  const { zone = 'UTC' } = await readOwnPreferences()
  await Promise.all([
    queryClient.prefetchQuery(trpc.audit.list.queryOptions(toAuditInput(search, search.timeZone ?? zone))),
    queryClient.prefetchQuery(trpc.audit.chain.queryOptions()),
    search.entry !== null && queryClient.prefetchQuery(trpc.audit.entry.queryOptions({ auditId: search.entry })),
  ])
}
