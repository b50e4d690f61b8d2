'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { TreatmentInForce } from '#server/modules/spaces/author-treatments/schema.ts'
import type { Done } from '../acts/done.ts'
import { EndButton } from './lift-button.tsx'
import { restOfTreatment } from './rest-of-treatment.ts'
import { useSpaceName } from './space-name.ts'
import { useBanMessage } from './use-ban-message.ts'

interface TreatmentListProps {
  userId: string
  treatments: TreatmentInForce[]
  onEnded: (done: Done) => void
}

/** What becomes of what a person writes: where, until when, by whom, since when and why, with the button that ends it for those who may. */
export function TreatmentList({ userId, treatments, onEnded }: TreatmentListProps) {
  const t = useTranslations('treatment')
  const nameOf = useSpaceName()
  const messageOf = useBanMessage()
  const trpc = useTRPC()
  const ending = useMutation(trpc.authorTreatments.end.mutationOptions())
  const setting = useMutation(trpc.authorTreatments.set.mutationOptions())
  return treatments.map((treatment) => {
    const { treatmentId, kind, space, mayEnd } = treatment
    const spaceName = nameOf(treatment)
    const { until, who } = messageOf(treatment)
    return (
      <span key={treatmentId} className="block pb-1 last:pb-0">
        <span className={`font-firm ${kind === 'trust' ? 'text-approve' : 'text-reject'}`}>
          {t(`inForce.${kind}`, { space: spaceName })}
        </span>{' '}
        {until}
        {who && <span className="block text-ink-3">{who}</span>}
        {mayEnd && (
          <span className="block pt-0.5">
            <EndButton
              label={t(`end.${kind}`)}
              spaceName={spaceName}
              isPending={ending.isPending}
              end={() => ending.mutateAsync({ treatmentId })}
              onEnded={() =>
                onEnded({
                  words: t(`ended.${kind}`, { space: spaceName }),
                  undo: () => setting.mutateAsync({ userId, space, ...restOfTreatment(treatment), seen: null }),
                })
              }
            />
          </span>
        )}
      </span>
    )
  })
}
