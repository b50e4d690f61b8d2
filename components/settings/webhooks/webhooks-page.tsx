'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { useServices } from '../services/use-services.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { toDeliveriesPath } from './deliveries-search.ts'
import { useWebhookErrorMessage } from './delivery-words.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointSection } from './endpoint-section.tsx'

const READ_EVERY_MS = 10_000

/** The endpoints, the state of each, and acts on them. */
export function WebhooksPage({ eventNames }: { eventNames: readonly string[] }) {
  const t = useTranslations('webhooks')
  const { webhooks } = useTRPC()
  const endpoints = useQuery(webhooks.endpoints.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  const services = useServices<Endpoint, unknown>(webhooks.endpoints.queryKey(), 'endpointId', useWebhookErrorMessage())

  const edit = (endpoint?: Endpoint) =>
    services.open((close) => (
      <EndpointDialog
        eventNames={eventNames}
        endpoint={endpoint}
        onClose={close}
        onDone={(words, { endpoint, secret }) => {
          close()
          services.done(secret === undefined ? words : `${words} ${t('secretOnce')}`, { service: endpoint, secret })
        }}
      />
    ))

  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        <>
          <Link
            href={toDeliveriesPath({})}
            prefetch={false}
            className="inline-flex h-control items-center rounded-2 px-2.5 font-firm hover:bg-hover"
          >
            {t('deliveries')}
          </Link>
          {endpoints.data && (
            <Button look="primary" onPress={() => edit()}>
              <Plus />
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      <QueryState query={endpoints} />
      {endpoints.data?.length === 0 && (
        <EmptyState isInSection icon={<Webhook />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      )}
      {endpoints.data?.map((endpoint) => (
        <EndpointSection
          key={endpoint.endpointId}
          endpoint={endpoint}
          services={services}
          onEdit={() => edit(endpoint)}
        />
      ))}
      {services.dialog}
    </SettingsPage>
  )
}
