'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { textOf } from '#components/kit/acts/hold-keys.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { KEEP_PREVIOUS } from '#components/trpc/keep-previous.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Chip } from '#components/ui/chip.tsx'
import { Field } from '#components/ui/field.tsx'
import type { Outsider } from '#server/modules/desk/spaces/schema.ts'
import type { MemberDialogProps } from './member-dialog-props.ts'

const QUERY_LENGTH = 100

/** Adds one or several people, found while typing, who aren't members yet. */
export function AddDialog({ space, typed, onClose, onDone }: MemberDialogProps) {
  const t = useTranslations('members')
  const spaces = useTranslations('spaces')
  const trpc = useTRPC()
  const errorMessageOf = useErrorMessage()
  const [written, setWritten] = useState(() => textOf(typed))
  const [people, setPeople] = useState<Outsider[]>([])
  const words = written.trim()
  const { data: found } = useQuery(
    trpc.members.outsiders.queryOptions({ space, query: words }, { ...KEEP_PREVIOUS, enabled: words !== '' }),
  )
  const adding = useMutation(trpc.members.add.mutationOptions())
  const removing = useMutation(trpc.members.remove.mutationOptions())
  const offered = (words === '' ? [] : (found ?? [])).filter(
    ({ userId }) => !people.some((person) => person.userId === userId),
  )

  async function send(): Promise<void> {
    const [first] = people
    if (!first) return
    const change = { space, userIds: people.map(({ userId }) => userId) }
    await adding.mutateAsync(change)
    onClose()
    onDone({
      words: t('done.add', { count: people.length, who: first.displayName }),
      undo: () => removing.mutateAsync(change),
    })
  }
  return (
    <ActForm
      title={t('addTitle')}
      submit={t('submit.add')}
      isPending={adding.isPending}
      failure={errorMessageOf(adding.error)}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={onClose}
    >
      <Field
        label={t('who')}
        hint={t('whoHint')}
        dir="auto"
        autoComplete="off"
        autoFocus
        value={written}
        maxLength={QUERY_LENGTH}
        onChange={(event) => setWritten(event.target.value)}
        onKeyDown={(event) => {
          const [best] = offered
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (best) setPeople([...people, best])
          setWritten('')
        }}
      />
      <ul aria-label={t('offered')} className="grid min-h-40 content-start gap-1">
        {offered.map((person) => (
          <li key={person.userId}>
            <button
              type="button"
              onClick={() => {
                setPeople([...people, person])
                setWritten('')
              }}
              className="flex min-h-8 w-full items-center gap-2 rounded-2 px-2 text-start hover:bg-hover coarse:min-h-10"
            >
              <bdi className="min-w-0 truncate text-ink">{person.displayName}</bdi>
              <span className="min-w-0 truncate font-code text-small text-ink-3">{person.userId}</span>
            </button>
          </li>
        ))}
        {words !== '' && found?.length === 0 && <li className="text-ink-3">{t('nobodyOutside')}</li>}
      </ul>
      {people.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {people.map(({ userId, displayName }) => (
            <Chip
              key={userId}
              onRemove={() => setPeople(people.filter((person) => person.userId !== userId))}
              removeLabel={spaces('without', { what: displayName })}
            >
              <bdi className="truncate px-2">{displayName}</bdi>
            </Chip>
          ))}
        </p>
      )}
    </ActForm>
  )
}
