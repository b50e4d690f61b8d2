'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Field } from '#components/ui/field.tsx'
import type { NamedQueue, QueueReviewer } from '#server/modules/rules/queues/schema.ts'
import { useReadQueuesAgain } from './use-rule-queries.ts'

interface QueueDialogProps {
  communityId: string | null
  /** The queue that is changed; without it, a new one is made. */
  queue: NamedQueue | undefined
  onClose: () => void
}

const NAME_LENGTH = 60

/** The name and the members of a queue. */
export function QueueDialog({ communityId, queue, onClose }: QueueDialogProps) {
  const t = useTranslations('rules.queues')
  const { queues } = useTRPC()
  const readAgain = useReadQueuesAgain()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const [name, setName] = useState(queue?.name ?? '')
  const [members, setMembers] = useState<QueueReviewer[]>(queue?.members ?? [])

  async function onSuccess(): Promise<void> {
    await readAgain()
    announce(t('saved'))
    onClose()
  }
  const onError = () => void readAgain()
  const creating = useMutation(queues.create.mutationOptions({ onSuccess }))
  const changing = useMutation(queues.change.mutationOptions({ onSuccess, onError }))

  function save(): void {
    const fields = { name, memberIds: members.map(({ userId }) => userId) }
    if (queue) changing.mutate({ ...fields, queueId: queue.queueId, revision: queue.revision })
    else creating.mutate({ ...fields, communityId })
  }

  return (
    <ActForm
      title={queue ? t('editNamed', { name: queue.name }) : t('add')}
      submit={t('save')}
      isPending={creating.isPending || changing.isPending}
      failure={errorMessageOf(creating.error ?? changing.error)}
      onSubmit={save}
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
    </ActForm>
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
          <label key={person.userId} className="flex min-h-7 items-center gap-2 text-ink coarse:min-h-10">
            <input
              type="checkbox"
              checked={isMember(person)}
              onChange={() =>
                onChange(
                  isMember(person) ? members.filter(({ userId }) => userId !== person.userId) : [...members, person],
                )
              }
              className="size-4 shrink-0 accent-accent"
            />
            <bdi className="wrap-anywhere">{person.displayName}</bdi>
          </label>
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
