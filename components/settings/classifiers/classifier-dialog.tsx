'use client'
import { type ComponentProps, useState } from 'react'
import { useTranslations } from 'use-intl'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { trpcClient } from '#components/trpc/trpc.ts'
import { CheckBoxes } from '#components/ui/check-box.tsx'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import {
  BATCH_SIZE,
  CLASSIFIED_KINDS,
  type ClassifiedKind,
  type Classifier,
  DEADLINE_MS,
} from '#server/modules/integrations/classifiers/schema.ts'
import { NameField, UrlField } from '../fields.tsx'
import { isAboutAddress } from '../services/use-services.tsx'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'

interface ClassifierDialogProps {
  /** The classifier to change; without it, one is added. */
  classifier: Classifier | undefined
  onClose: () => void
  onDone: (words: string, changed: { classifier: Classifier; secret?: string }) => void
}

/** Name, URL, scope and limits of a new or an existing classifier. */
export function ClassifierDialog({ classifier, onClose, onDone }: ClassifierDialogProps) {
  const t = useTranslations('classifiers')
  const errorMessageOf = useClassifierErrorMessage()
  const { fields, write, forget } = useDraftFields(`classifier ${classifier?.classifierId ?? ''}`, startOf(classifier))
  const [scope, setScope] = useState(() => scopeOf(classifier))

  async function send(): Promise<void> {
    const { isNarrowed, community, kinds } = scope
    if (isNarrowed && community.id === null) throw new Incomplete(t('chooseCommunity'))
    const sent = {
      name: fields.name,
      url: fields.url.trim(),
      kinds,
      deadlineMs: Number(fields.deadlineMs),
      batchSize: Number(fields.batchSize),
      ...(isNarrowed && community.id !== null && { communityId: community.id }),
    }
    const changed = classifier
      ? { classifier: await trpcClient.classifiers.change.mutate({ ...sent, ...idOf(classifier) }) }
      : await trpcClient.classifiers.add.mutate(sent)
    forget()
    onDone(t(classifier ? 'changed' : 'added'), changed)
  }

  return (
    <FormDialog
      title={t(classifier ? 'changeTitle' : 'add')}
      submit={t(classifier ? 'save' : 'addSubmit')}
      isWritten
      onSubmit={send}
      errorMessageOf={(error) => (isAboutAddress(error) ? undefined : errorMessageOf(error))}
      onClose={() => {
        forget()
        onClose()
      }}
    >
      {(error) => (
        <>
          <NameField label={t('name')} dir="auto" name={fields.name} onChange={(name) => write({ name })} />
          <UrlField
            label={t('address')}
            hint={t('addressHint')}
            error={isAboutAddress(error) ? errorMessageOf(error) : undefined}
            value={fields.url}
            onChange={(url) => write({ url })}
          />
          <ScopeChoice scope={scope} onChange={setScope} />
          <NumberField
            label={t('deadline')}
            hint={t('deadlineHint', DEADLINE_MS)}
            limits={DEADLINE_MS}
            value={fields.deadlineMs}
            onChange={(event) => write({ deadlineMs: event.target.value })}
          />
          <NumberField
            label={t('batch')}
            hint={t('batchHint', BATCH_SIZE)}
            limits={BATCH_SIZE}
            value={fields.batchSize}
            onChange={(event) => write({ batchSize: event.target.value })}
          />
        </>
      )}
    </FormDialog>
  )
}

const idOf = ({ classifierId, version }: Classifier) => ({ classifierId, version })

function startOf(classifier: Classifier | undefined) {
  const { name = '', url = '', deadlineMs = DEADLINE_MS.usual, batchSize = BATCH_SIZE.usual } = classifier ?? {}
  return { name, url, deadlineMs: String(deadlineMs), batchSize: String(batchSize) }
}

interface NumberFieldProps extends ComponentProps<typeof Field> {
  limits: { min: number; max: number }
}

function NumberField({ limits: { min, max }, ...props }: NumberFieldProps) {
  return <Field {...props} type="number" inputMode="numeric" isShort required min={min} max={max} />
}

/** What a classifier is asked about, while it is being chosen. */
interface Scope {
  isNarrowed: boolean
  community: { id: string | null; name?: string | undefined }
  kinds: ClassifiedKind[]
}

function scopeOf(classifier: Classifier | undefined): Scope {
  const { community, kinds = ['comment', 'post'] } = classifier ?? {}
  return {
    isNarrowed: community !== undefined,
    community: { id: community?.communityId ?? null, name: community?.name },
    kinds,
  }
}

/** The whole network or a community, and the kinds of content; messages belong to no community. */
function ScopeChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const t = useTranslations('classifiers')
  const { isNarrowed, community, kinds } = scope
  const possible = CLASSIFIED_KINDS.filter((kind) => !isNarrowed || kind !== 'message')

  function narrow(isNarrowed: boolean): void {
    const left = kinds.filter((kind) => !isNarrowed || kind !== 'message')
    onChange({ ...scope, isNarrowed, kinds: left.length > 0 ? left : ['comment', 'post'] })
  }

  return (
    <>
      <Choices
        legend={t('scope')}
        columns={2}
        choices={[
          { id: 'network', label: t('wholeNetwork') },
          { id: 'community', label: t('oneCommunity') },
        ]}
        chosen={isNarrowed ? 'community' : 'network'}
        onChoose={(id) => narrow(id === 'community')}
      />
      {isNarrowed && (
        <div>
          <FoundChip
            what="space"
            chosen={community.id}
            name={community.name}
            onChoose={(id, name) => onChange({ ...scope, community: { id, name } })}
          />
        </div>
      )}
      <CheckBoxes
        legend={t('kinds')}
        choices={possible.map((id) => ({ id, label: t(`kindNames.${id}`) }))}
        chosen={kinds}
        onChange={(kinds) => onChange({ ...scope, kinds })}
      />
    </>
  )
}
