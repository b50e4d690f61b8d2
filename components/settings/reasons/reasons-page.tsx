'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'
import { LazyOrderList } from '../order/lazy-order-list.ts'
import { OrderButton } from '../order/order-button.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { ReasonList } from './reason-list.tsx'
import { ReasonText } from './reason-text.tsx'

const ReasonDialog = lazyPart(() => import('./reason-dialog.tsx').then(({ ReasonDialog }) => ReasonDialog), {
  onFailed: ({ onClose }) => onClose(),
})
const RetireDialog = lazyPart(() => import('./archive-dialog.tsx').then(({ ArchiveDialog }) => ArchiveDialog), {
  onFailed: ({ onClose }) => onClose(),
})

type Opened = { act: 'add' } | { act: 'change' | 'retire'; reason: RejectionReason }

/** The reasons for rejecting an item, in the order of their keys. */
export function ReasonsPage() {
  const t = useTranslations('reasonSettings')
  const read = useQuery(reasonsOptions(useTRPC()))
  const [opened, setOpened] = useState<Opened>()
  const [isOrdering, setIsOrdering] = useState(false)
  const { take, order, failure } = useReasonChanges()
  const common = {
    onClose: () => setOpened(undefined),
    onDone: (reasons: RejectionReason[], words: string) => {
      setOpened(undefined)
      take(reasons, words)
    },
  }
  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        read.data && (
          <>
            {read.data.length > 1 && (
              <OrderButton
                labels={{ start: t('changeOrder'), done: t('orderDone') }}
                isOrdering={isOrdering}
                onChange={setIsOrdering}
              />
            )}
            <Button look="primary" onPress={() => setOpened({ act: 'add' })}>
              <Plus />
              {t('add')}
            </Button>
          </>
        )
      }
    >
      <QueryState query={read} />
      {failure && (
        <p role="alert" className="mt-3 text-reject">
          {failure}
        </p>
      )}
      {read.data?.length === 0 && (
        <EmptyState isInSection icon={<ListChecks />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      )}
      {read.data && isOrdering && (
        <LazyOrderList
          label={t('title')}
          items={read.data.map((reason, index) => ({
            id: reason.reasonId,
            name: reason.label,
            moveLabel: t('move', { label: reason.label }),
            content: <ReasonText reason={reason} number={index + 1} />,
          }))}
          onOrder={order}
        />
      )}
      {read.data && read.data.length > 0 && !isOrdering && (
        <ReasonList
          reasons={read.data}
          onChange={(reason) => setOpened({ act: 'change', reason })}
          onRetire={(reason) => setOpened({ act: 'retire', reason })}
        />
      )}
      {opened?.act === 'add' && <ReasonDialog {...common} />}
      {opened?.act === 'change' && <ReasonDialog {...common} reason={opened.reason} />}
      {opened?.act === 'retire' && (
        <RetireDialog {...common} reason={opened.reason} after={countAfter(opened.reason, read.data)} />
      )}
    </SettingsPage>
  )
}

function countAfter({ reasonId }: RejectionReason, all: RejectionReason[] = []): number {
  return all.length - 1 - all.findIndex((reason) => reason.reasonId === reasonId)
}

/** Each change returns all reasons. A new order shows immediately, and reverts if it is rejected. */
function useReasonChanges() {
  const t = useTranslations('reasonSettings')
  const { reasons } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const queryKey = reasons.list.queryKey()
  const set = (all: RejectionReason[] | undefined) => queryClient.setQueryData(queryKey, all)
  const ordering = useMutation(
    reasons.order.mutationOptions({
      onMutate: ({ reasonIds }) => {
        const before = queryClient.getQueryData(queryKey)
        set(reasonIds.flatMap((id) => before?.find(({ reasonId }) => reasonId === id) ?? []))
        return { before }
      },
      onSuccess: (all) => set(all),
      onError: (_error, _ordered, context) => {
        set(context?.before)
        void queryClient.invalidateQueries({ queryKey })
      },
    }),
  )
  return {
    take: (all: RejectionReason[], words: string) => {
      set(all)
      announce(words)
    },
    order: (reasonIds: string[]) => ordering.mutate({ reasonIds }, { onSuccess: () => announce(t('ordered')) }),
    failure: errorMessageOf(ordering.error),
  }
}
