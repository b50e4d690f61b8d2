'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Colleague } from '#server/modules/review/escalations/schema.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { type ActDialogProps, useDeskActs } from '../desk-acts.ts'
import { ColleaguePicker } from './colleague-picker.tsx'
import { EscalationWords } from './escalation-words.tsx'
import { pendingItem } from './pending-item.ts'
import { useDeescalate } from './use-deescalate.ts'

/** Hands an escalated item to a colleague or to anyone, or returns it to the pending items. */
export function HandOverDialog({ item, onClose }: ActDialogProps) {
  const t = useTranslations('escalation')
  const cache = useQueueCache()
  const errorMessageOf = useErrorMessage()
  const { done } = useDeskActs()
  const [colleague, setColleague] = useState<Colleague>()
  const { escalations } = useTRPC()
  const handing = useMutation(escalations.handOver.mutationOptions())
  const { putBack, isPending, error } = useDeescalate(item)

  async function handOver(): Promise<void> {
    await handing.mutateAsync({
      ...pendingItem(item),
      handTo: colleague?.userId ?? null,
    })
    onClose()
    cache.expire(item)
    void cache.readListsAgain()
    done({ words: colleague ? t('handedTo', { who: colleague.displayName }) : t('handedToAnyone') })
  }

  return (
    <ActForm
      title={t('handOverTitle', { author: item.author.displayName })}
      submit={t('handOver')}
      isPending={handing.isPending}
      failure={errorMessageOf(handing.error ?? error)}
      onSubmit={() => void handOver().catch(() => undefined)}
      onClose={onClose}
      acts={
        <Button className="ms-auto" isPending={isPending} onPress={() => void putBack(onClose).catch(() => undefined)}>
          {t(item.kind === 'reported' ? 'endReport' : 'putBack')}
        </Button>
      }
    >
      {item.escalation && (
        <p>
          <EscalationWords escalation={item.escalation} />
        </p>
      )}
      <ColleaguePicker item={item} onChoose={setColleague} autoFocus />
    </ActForm>
  )
}
