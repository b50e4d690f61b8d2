import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { prefetchEndpoints } from '#components/settings/webhooks/prefetch-webhooks.ts'
import { WebhooksPage } from '#components/settings/webhooks/webhooks-page.tsx'
import { Hydrate } from '#components/trpc/server.tsx'
import { EVENT_NAMES } from '#server/modules/ledger/events/schema.ts'

export const generateMetadata = titled((t) => t('settingsParts.webhooks'))

export default async function EndpointsPage() {
  await requireSettings('webhooks', '/settings/webhooks')
  await prefetchEndpoints()

  return (
    <Hydrate>
      <WebhooksPage eventNames={EVENT_NAMES} />
    </Hydrate>
  )
}
