import { AuditPage } from '#components/audit/audit-page.tsx'
import { prefetchAudit } from '#components/audit/prefetch-audit.ts'
import { loadAuditSearch, toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { requireSection } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.audit'))

export default async function AuditLogPage({ searchParams }: PageProps<'/audit'>) {
  const search = loadAuditSearch(await searchParams)
  await requireSection('audit', toAuditPath(search))
  await prefetchAudit(search)

  return (
    <Hydrate>
      <AuditPage />
    </Hydrate>
  )
}
