import { notFound } from 'next/navigation'
import { AuditPage } from '#components/audit/audit-page.tsx'
import { prefetchAudit } from '#components/audit/prefetch-audit.ts'
import { loadAuditSearch, toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { requireMe } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('nav.audit'))

export default async function AuditLogPage({ searchParams }: PageProps<'/audit'>) {
  const search = await loadAuditSearch(searchParams)
  const me = await requireMe(toAuditPath(search))
  if (!me.opens.includes('audit')) notFound()
  await prefetchAudit(search)

  return (
    <Hydrate>
      <AuditPage />
    </Hydrate>
  )
}
