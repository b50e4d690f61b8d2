'use client'
import { useQuery } from '@tanstack/react-query'
import { Gauge, Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Classifier } from '#server/modules/integrations/classifiers/schema.ts'
import { useServices } from '../services/use-services.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { ClassifierSection } from './classifier-section.tsx'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'

/** Loaded when it opens: the server's limits come with zod. */
const ClassifierDialog = lazyPart(
  () => import('./classifier-dialog.tsx').then(({ ClassifierDialog }) => ClassifierDialog),
  { onFailed: ({ onClose }) => onClose() },
)

const READ_EVERY_MS = 10_000

/** The classifiers, the state of each, and acts on them. */
export function ClassifiersPage() {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const classifiers = useQuery(trpc.classifiers.list.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  const services = useServices<Classifier, unknown>(
    trpc.classifiers.list.queryKey(),
    'classifierId',
    useClassifierErrorMessage(),
  )

  const edit = (classifier?: Classifier) =>
    services.open((close) => (
      <ClassifierDialog
        classifier={classifier}
        onClose={close}
        onDone={(words, { classifier, secret }) => {
          close()
          services.done(words, { service: classifier, secret })
        }}
      />
    ))

  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        classifiers.data && (
          <Button look="primary" onPress={() => edit()}>
            <Plus />
            {t('add')}
          </Button>
        )
      }
    >
      <QueryState query={classifiers} />
      {classifiers.data?.length === 0 && (
        <EmptyState isInSection icon={<Gauge />} title={t('none')}>
          {t('noneText')}
        </EmptyState>
      )}
      {classifiers.data?.map((classifier) => (
        <ClassifierSection
          key={classifier.classifierId}
          classifier={classifier}
          services={services}
          onEdit={() => edit(classifier)}
        />
      ))}
      {services.dialog}
    </SettingsPage>
  )
}
