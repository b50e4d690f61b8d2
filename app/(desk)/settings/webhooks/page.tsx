import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { WebhooksPage } from '#components/settings/webhooks/webhooks-page.tsx'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import { EVENT_NAMES } from '#server/modules/ledger/events/schema.ts'

export const generateMetadata = titled((t) => t('settingsParts.webhooks'))

export default async function EndpointsPage() {
  await requireSettings('webhooks', '/settings/webhooks')
  await getQueryClient().prefetchQuery(trpc.webhooks.endpoints.queryOptions())

  return (
    <Hydrate>
      <WebhooksPage eventNames={EVENT_NAMES} />
    </Hydrate>
  )
}
