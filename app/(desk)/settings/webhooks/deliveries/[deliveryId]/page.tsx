import { notFound } from 'next/navigation'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { toDeliveryPath } from '#components/settings/webhooks/deliveries-search.ts'
import { DeliveryPage } from '#components/settings/webhooks/delivery-page.tsx'
import { undefinedIfHidden } from '#components/trpc/request-error.ts'
import { getQueryClient, Hydrate } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'

export const generateMetadata = titled((t) => t('webhooks.delivery'))

export default async function OneDeliveryPage({ params }: PageProps<'/settings/webhooks/deliveries/[deliveryId]'>) {
  const { deliveryId } = await params
  await requireSettings('webhooks', toDeliveryPath(deliveryId))
  const read = getQueryClient().fetchQuery(trpc.webhooks.delivery.queryOptions({ deliveryId }))
  if ((await undefinedIfHidden(read, ['NOT_FOUND', 'UNPROCESSABLE_CONTENT'])) === undefined) notFound()

  return (
    <Hydrate>
      <DeliveryPage deliveryId={deliveryId} />
    </Hydrate>
  )
}
