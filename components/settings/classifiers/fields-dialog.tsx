'use client'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Field } from '#components/ui/field.tsx'
import { BATCH_SIZE, type Classifier, DEADLINE_MS } from '#server/modules/integrations/classifiers/schema.ts'
import { UrlField } from '../url-field.tsx'
import type { ClassifierDialogProps } from './classifier-dialogs.ts'
import { ScopeChoice, scopeOf } from './scope-choice.tsx'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'

interface FieldsDialogProps extends ClassifierDialogProps {
  /** The classifier to change; without it, one is added. */
  classifier?: Classifier
}

/** Name, URL, scope and limits of a new or an existing classifier. */
export function FieldsDialog({ classifier, onClose, onDone }: FieldsDialogProps) {
  const t = useTranslations('classifiers')
  const draft = useDraftFields(`classifier ${classifier?.classifierId ?? ''}`, startOf(classifier))
  const { name, url, deadlineMs, batchSize } = draft.fields
  const [scope, setScope] = useState(() => scopeOf(classifier))
  const [isIncomplete, setIncomplete] = useState(false)
  const { save, isPending, failure, addressFailure } = useSave(classifier, onDone)

  async function send(): Promise<void> {
    const { isNarrowed, community, kinds } = scope
    setIncomplete(isNarrowed && community.id === null)
    if (isNarrowed && community.id === null) return
    await save({
      name,
      url: url.trim(),
      kinds,
      deadlineMs: Number(deadlineMs),
      batchSize: Number(batchSize),
      ...(isNarrowed && community.id !== null && { communityId: community.id }),
    })
    draft.forget()
  }

  return (
    <ActForm
      title={t(classifier ? 'changeTitle' : 'add')}
      submit={t(classifier ? 'save' : 'addSubmit')}
      isWritten
      isPending={isPending}
      failure={isIncomplete ? t('chooseCommunity') : failure}
      onSubmit={() => void send().catch(() => undefined)}
      onClose={() => {
        draft.forget()
        onClose()
      }}
    >
      <Field
        label={t('name')}
        dir="auto"
        autoFocus
        required
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => draft.write({ name: event.target.value })}
      />
      <UrlField
        label={t('address')}
        hint={t('addressHint')}
        error={addressFailure}
        value={url}
        onChange={(url) => draft.write({ url })}
      />
      <ScopeChoice scope={scope} onChange={setScope} />
      <NumberField
        label={t('deadline')}
        hint={t('deadlineHint', DEADLINE_MS)}
        min={DEADLINE_MS.min}
        max={DEADLINE_MS.max}
        value={deadlineMs}
        onChange={(event) => draft.write({ deadlineMs: event.target.value })}
      />
      <NumberField
        label={t('batch')}
        hint={t('batchHint', BATCH_SIZE)}
        min={BATCH_SIZE.min}
        max={BATCH_SIZE.max}
        value={batchSize}
        onChange={(event) => draft.write({ batchSize: event.target.value })}
      />
    </ActForm>
  )
}

function NumberField(props: ComponentProps<typeof Field>) {
  return <Field {...props} type="number" inputMode="numeric" isShort required />
}

function startOf(classifier: Classifier | undefined) {
  const { name = '', url = '', deadlineMs = DEADLINE_MS.usual, batchSize = BATCH_SIZE.usual } = classifier ?? {}
  return { name, url, deadlineMs: String(deadlineMs), batchSize: String(batchSize) }
}

type Fields = Pick<Classifier, 'name' | 'url' | 'kinds' | 'deadlineMs' | 'batchSize'> & { communityId?: string }

/** Adds the classifier, or changes the one there is. */
function useSave(classifier: Classifier | undefined, onDone: ClassifierDialogProps['onDone']) {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const errorMessageOf = useClassifierErrorMessage()
  const adding = useMutation(trpc.classifiers.add.mutationOptions())
  const changing = useMutation(trpc.classifiers.change.mutationOptions())
  const error = adding.error ?? changing.error
  const isAboutAddress = toRequestError(error).code === 'UNPROCESSABLE_CONTENT'
  const failure = errorMessageOf(error)
  return {
    isPending: adding.isPending || changing.isPending,
    failure: isAboutAddress ? undefined : failure,
    addressFailure: isAboutAddress ? failure : undefined,
    save: async (fields: Fields): Promise<void> => {
      if (classifier) {
        const { classifierId, version } = classifier
        const changed = await changing.mutateAsync({ ...fields, classifierId, version })
        return onDone(t('changed'), { classifier: changed })
      }
      onDone(t('added'), await adding.mutateAsync(fields))
    },
  }
}
