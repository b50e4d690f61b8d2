'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue, useId, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { FormDialog } from '#components/kit/acts/form-dialog.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { afterFrames } from '#components/ui/after-paint.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { CheckBox } from '#components/ui/check-box.tsx'
import { Field } from '#components/ui/field.tsx'
import type { NamedQueue, QueueReviewer } from '#server/modules/rules/queues/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { useReadQueuesAgain } from './use-rule-queries.ts'

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

/** Reads the queues again after an act, also after one that failed: somebody else may have changed them. */
function useQueueDone(onDone: () => void) {
  const announce = useAnnounce()
  const readAgain = useReadQueuesAgain()
  return async (act: Promise<unknown>, said: string): Promise<void> => {
    await act.finally(readAgain)
    announce(said)
    onDone()
  }
}

interface DeleteQueueDialogProps {
  queue: NamedQueue
  onDeleted: () => void
  onClose: () => void
}

/** Deletes a queue. This can't be undone, so it needs a confirmation. */
function DeleteQueueDialog({ queue, onDeleted, onClose }: DeleteQueueDialogProps) {
  const t = useTranslations('rules.queues')
  const { queueId, revision, name, rules } = queue
  const done = useQueueDone(() => {
    onClose()
    onDeleted()
  })
  return (
    <FormDialog
      title={t('deleteTitle', { name })}
      submit={t('deleteSubmit')}
      look="reject"
      onSubmit={() => done(trpcClient.queues.delete.mutate({ queueId, revision }), t('deleted'))}
      onClose={onClose}
    >
      <p>{t('deleteMeans', { count: rules })}</p>
    </FormDialog>
  )
}

interface QueueDialogProps {
  communityId: string | null
  /** The queue that is changed; without it, a new one is made. */
  queue: NamedQueue | undefined
  onClose: () => void
}

const NAME_LENGTH = 60

/** The name and the members of a queue. */
function QueueDialog({ communityId, queue, onClose }: QueueDialogProps) {
  const t = useTranslations('rules.queues')
  const done = useQueueDone(onClose)
  const [name, setName] = useState(queue?.name ?? '')
  const [members, setMembers] = useState<QueueReviewer[]>(queue?.members ?? [])

  function save(): Promise<unknown> {
    const fields = { name, memberIds: members.map(({ userId }) => userId) }
    if (!queue) return trpcClient.queues.create.mutate({ ...fields, communityId })
    return trpcClient.queues.change.mutate({ ...fields, queueId: queue.queueId, revision: queue.revision })
  }

  return (
    <FormDialog
      title={queue ? t('editNamed', { name: queue.name }) : t('add')}
      submit={t('save')}
      onSubmit={() => done(save(), t('saved'))}
      onClose={onClose}
    >
      <Field
        label={t('name')}
        dir="auto"
        autoFocus
        required
        pattern=".*\S.*"
        autoComplete="off"
        maxLength={NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <MemberChoice communityId={communityId} members={members} onChange={setMembers} />
    </FormDialog>
  )
}

interface MemberChoiceProps {
  communityId: string | null
  members: QueueReviewer[]
  onChange: (members: QueueReviewer[]) => void
}

/** People who review the space, found by name; members come first and stay listed whatever is searched. */
function MemberChoice({ communityId, members, onChange }: MemberChoiceProps) {
  const t = useTranslations('rules.queues')
  const id = useId()
  const [typed, setTyped] = useState('')
  const name = useDeferredValue(typed.trim())
  const read = useQuery(
    useTRPC().queues.reviewers.queryOptions({ communityId, name }, { placeholderData: keepPreviousData }),
  )
  const isMember = ({ userId }: QueueReviewer) => members.some((member) => member.userId === userId)
  const others = (read.data ?? []).filter((person) => !isMember(person))

  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend className="mb-1 font-firm text-ink">{t('members')}</legend>
      <Field
        label={t('find')}
        type="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          // Looking for somebody doesn't save the queue.
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
        }}
      />
      <div className="mt-1.5 max-h-60 overflow-auto">
        {[...members, ...others].map((person) => (
          <CheckBox
            key={person.userId}
            checked={isMember(person)}
            onChange={() =>
              onChange(
                isMember(person) ? members.filter(({ userId }) => userId !== person.userId) : [...members, person],
              )
            }
          >
            <bdi className="wrap-anywhere">{person.displayName}</bdi>
          </CheckBox>
        ))}
        {read.data?.length === 0 && (
          <p role="status" className="text-ink-3">
            {t('nobody')}
          </p>
        )}
        {read.isError && <p className="text-reject">{t('unread')}</p>}
      </div>
      <p id={`${id}-hint`} className="mt-1 text-small text-ink-3">
        {t('membersHint')}
      </p>
    </fieldset>
  )
}
