'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Select } from '#components/ui/select.tsx'

interface QueueChoiceProps {
  communityId: string | null
  queueId: string | undefined
  onChoose: (queueId: string | undefined) => void
}

/** No queue. */
const NONE = ''

/** The queue that a rule sends what it holds to; not shown where there is none to choose. */
export function QueueChoice({ communityId, queueId, onChoose }: QueueChoiceProps) {
  const t = useTranslations('rules.form')
  const { data: queues } = useQuery(useTRPC().queues.list.queryOptions({ communityId }))
  if (!queues || (queues.length === 0 && queueId === undefined)) return null
  const isKnown = queueId === undefined || queues.some((queue) => queue.queueId === queueId)
  const options = [
    { id: NONE, label: t('noQueue') },
    ...queues.map(({ queueId, name }) => ({ id: queueId, label: name })),
    ...(isKnown ? [] : [{ id: queueId, label: t('deletedQueue') }]),
  ]
  return (
    <div className="mt-4 grid justify-items-start gap-1.5">
      <Select
        isField
        label={t('queue')}
        options={options}
        value={queueId ?? NONE}
        onChange={(id) => onChoose(id === NONE ? undefined : id)}
      />
      <p className="text-small text-ink-3">{t('queueHint')}</p>
    </div>
  )
}
