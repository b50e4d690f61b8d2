import { notFound } from 'next/navigation'
import { requireSettings } from '#components/kit/frame/require-me.ts'
import { titled } from '#components/preferences/server-messages.ts'
import { toDeliveryPath } from '#components/settings/webhooks/deliveries-search.ts'
import { DeliveryPage } from '#components/settings/webhooks/delivery-page.tsx'
import { findDelivery } from '#components/settings/webhooks/prefetch-webhooks.ts'
import { Hydrate } from '#components/trpc/server.tsx'

export const generateMetadata = titled((t) => t('webhooks.delivery'))

export default async function OneDeliveryPage({ params }: PageProps<'/settings/webhooks/deliveries/[deliveryId]'>) {
  const { deliveryId } = await params
  await requireSettings('webhooks', toDeliveryPath(deliveryId))
  if (!(await findDelivery(deliveryId))) notFound()

  return (
    <Hydrate>
      <DeliveryPage deliveryId={deliveryId} />
    </Hydrate>
  )
}
