'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Gauge, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Classifier } from '#server/modules/integrations/classifiers/schema.ts'
import { SettingsPage } from '../settings-page.tsx'
import { useReplaceInList } from '../use-replace-in-list.ts'
import type { ClassifierAct, ClassifierDialogProps } from './classifier-dialogs.ts'
import { ClassifierSection } from './classifier-section.tsx'

const onFailed = ({ onClose }: ClassifierDialogProps) => onClose()
const FieldsDialog = lazyPart(() => import('./fields-dialog.tsx').then(({ FieldsDialog }) => FieldsDialog), {
  onFailed,
})
const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx').then(({ ConfirmDialog }) => ConfirmDialog), {
  onFailed,
})

const READ_EVERY_MS = 10_000

/** The classifiers, the state of each, and acts on them. */
export function ClassifiersPage() {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const showChanged = useReplaceInList(trpc.classifiers.list.queryKey(), 'classifierId')
  const classifiers = useQuery(trpc.classifiers.list.queryOptions(undefined, { refetchInterval: READ_EVERY_MS }))
  const [opened, setOpened] = useState<{ act: ClassifierAct | 'add'; classifier?: Classifier | undefined }>()
  /** It stays on the page until the person confirms that they have saved it. */
  const [shown, setShown] = useState<{ classifierId: string; secret: string }>()

  async function onDone(words: string, done?: { classifier: Classifier; secret?: string }): Promise<void> {
    setOpened(undefined)
    if (done) {
      const { classifier, secret } = done
      showChanged(classifier)
      if (secret !== undefined) setShown({ classifierId: classifier.classifierId, secret })
    }
    await queryClient.invalidateQueries(trpc.classifiers.list.queryFilter())
    announce(words)
  }

  const common = {
    onClose: () => setOpened(undefined),
    onDone: (...done: Parameters<typeof onDone>) => void onDone(...done),
  }
  const { act, classifier } = opened ?? {}
  return (
    <SettingsPage
      title={t('title')}
      lead={t('lead')}
      acts={
        classifiers.data && (
          <Button look="primary" onPress={() => setOpened({ act: 'add' })}>
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
          secret={shown?.classifierId === classifier.classifierId ? shown.secret : undefined}
          onKept={() => setShown(undefined)}
          onAct={(act) => setOpened({ act, classifier })}
        />
      ))}
      {act === 'add' && <FieldsDialog {...common} />}
      {act === 'change' && classifier && <FieldsDialog {...common} classifier={classifier} />}
      {(act === 'replace' || act === 'remove') && classifier && (
        <ConfirmDialog {...common} act={act} classifier={classifier} />
      )}
    </SettingsPage>
  )
}
