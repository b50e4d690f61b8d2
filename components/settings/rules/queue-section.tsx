'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { afterFrames } from '#components/ui/after-paint.ts'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { NamedQueue } from '#server/modules/rules/queues/schema.ts'
import { SettingsSection } from '../settings-page.tsx'

const QueueDialog = lazyPart(() => import('./queue-dialog.tsx').then(({ QueueDialog }) => QueueDialog), {
  onFailed: ({ onClose }) => onClose(),
})
const DeleteQueueDialog = lazyPart(
  () => import('./delete-queue-dialog.tsx').then(({ DeleteQueueDialog }) => DeleteQueueDialog),
  { onFailed: ({ onClose }) => onClose() },
)

interface OpenDialog {
  act: 'add' | 'change' | 'delete'
  queueId?: string
}

/** The queues of a space, to which its rules can send what they hold. */
export function QueueSection({ communityId }: { communityId: string | null }) {
  const t = useTranslations('rules.queues')
  const read = useQuery(useTRPC().queues.list.queryOptions({ communityId }))
  const [open, setOpen] = useState<OpenDialog>()
  const addButton = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(undefined)
  // Once the dialog is gone: the button that opened it is gone too.
  const focusAdd = () => void afterFrames(2).then(() => addButton.current?.focus())
  const queues = read.data?.filter((queue) => (queue.communityId ?? null) === communityId)
  // As it was read last: after a change by somebody else, the next attempt is made on that.
  const chosen = queues?.find(({ queueId }) => queueId === open?.queueId)
  return (
    <SettingsSection
      id="queues"
      title={t('title')}
      acts={
        <Button ref={addButton} onPress={() => setOpen({ act: 'add' })}>
          <Plus />
          {t('add')}
        </Button>
      }
    >
      <p className="max-w-[68ch]">{t('lead')}</p>
      <QueryState query={read} />
      {queues && queues.length > 0 && (
        <ul aria-label={t('title')} className="mt-2">
          {queues.map((queue) => (
            <li
              key={queue.queueId}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2 first:border-t-0"
            >
              <QueueFacts queue={queue} />
              <Button
                size="small"
                aria-label={t('editNamed', { name: queue.name })}
                onPress={() => setOpen({ act: 'change', queueId: queue.queueId })}
              >
                {t('edit')}
              </Button>
              <Button
                size="small"
                look="bare"
                aria-label={t('deleteNamed', { name: queue.name })}
                onPress={() => setOpen({ act: 'delete', queueId: queue.queueId })}
              >
                {t('delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open?.act === 'add' && <QueueDialog communityId={communityId} queue={undefined} onClose={close} />}
      {open?.act === 'change' && chosen && <QueueDialog communityId={communityId} queue={chosen} onClose={close} />}
      {open?.act === 'delete' && chosen && <DeleteQueueDialog queue={chosen} onDeleted={focusAdd} onClose={close} />}
    </SettingsSection>
  )
}

function QueueFacts({ queue: { name, members, rules } }: { queue: NamedQueue }) {
  const t = useTranslations('rules.queues')
  const format = useFormatter()
  const names = members.map(({ displayName }) => displayName)
  return (
    <div className="min-w-40 flex-1">
      <bdi className="font-firm wrap-anywhere text-ink">{name}</bdi>
      <p className="text-small wrap-anywhere text-ink-3">
        {names.length === 0 ? t('noMembers') : format.list(names)} · {t('rules', { count: rules })}
      </p>
    </div>
  )
}
