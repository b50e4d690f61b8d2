'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Endpoint } from '#server/modules/integrations/webhooks/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { useReplaceInList } from '../use-replace-in-list.ts'
import { toDeliveriesPath } from './deliveries-search.ts'
import type { EndpointAct, EndpointDialogProps } from './endpoint-dialogs.ts'
import { EndpointSection } from './endpoint-section.tsx'

const onFailed = ({ onClose }: EndpointDialogProps) => onClose()
const FieldsDialog = lazyPart(() => import('./fields-dialog.tsx').then(({ FieldsDialog }) => FieldsDialog), {
  onFailed,
})
const RotateDialog = lazyPart(() => import('./rotate-dialog.tsx').then(({ RotateDialog }) => RotateDialog), {
  onFailed,
})
const RemoveDialog = lazyPart(() => import('./remove-dialog.tsx').then(({ RemoveDialog }) => RemoveDialog), {
  onFailed,
})

const READ_EVERY_MS = 10_000

/** The endpoints, the state of each, and acts on them. */
export function WebhooksPage({ eventNames }: { eventNames: readonly string[] }) {
  const t = useTranslations('webhooks')
  const endpoints = useQuery(useTRPC().webhooks.endpoints.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  const { open, dialog, shown, keptSecret } = useEndpointActs(eventNames)
  const all = endpoints.data ?? []

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
            <Button look="primary" onPress={() => open('add')}>
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
      {all.map((endpoint) => (
        <EndpointSection
          key={endpoint.endpointId}
          endpoint={endpoint}
          secret={shown?.endpointId === endpoint.endpointId ? shown.secret : undefined}
          onKept={keptSecret}
          onAct={(act) => open(act, endpoint)}
        />
      ))}
      {dialog}
    </SettingsPage>
  )
}

interface Shown {
  endpointId: string
  secret: string
}

/** The dialogs, and the secret that one of them created: it stays on the page until the person confirms that they have saved it. */
function useEndpointActs(eventNames: readonly string[]) {
  const t = useTranslations('webhooks')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const showChanged = useReplaceInList(trpc.webhooks.endpoints.queryKey(), 'endpointId')
  const [opened, setOpened] = useState<{ act: EndpointAct | 'add'; endpoint?: Endpoint | undefined }>()
  const [shown, setShown] = useState<Shown>()

  async function onDone(words: string, done?: { endpoint: Endpoint; secret?: string }): Promise<void> {
    setOpened(undefined)
    if (done) {
      const { endpoint, secret } = done
      showChanged(endpoint)
      if (secret !== undefined) setShown({ endpointId: endpoint.endpointId, secret })
    }
    await queryClient.invalidateQueries(trpc.webhooks.endpoints.queryFilter())
    announce(done?.secret ? `${words} ${t('secretOnce')}` : words)
  }

  const common = {
    onClose: () => setOpened(undefined),
    onDone: (...done: Parameters<typeof onDone>) => void onDone(...done),
  }
  const { act, endpoint } = opened ?? {}
  const dialog = (
    <>
      {act === 'add' && <FieldsDialog {...common} eventNames={eventNames} />}
      {act === 'change' && endpoint && <FieldsDialog {...common} eventNames={eventNames} endpoint={endpoint} />}
      {act === 'rotate' && endpoint && <RotateDialog {...common} endpoint={endpoint} />}
      {act === 'remove' && endpoint && <RemoveDialog {...common} endpoint={endpoint} />}
    </>
  )
  return {
    open: (act: EndpointAct | 'add', endpoint?: Endpoint) => setOpened({ act, endpoint }),
    dialog,
    shown,
    keptSecret: () => setShown(undefined),
  }
}
