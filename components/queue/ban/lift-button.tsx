'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { BanPlace } from '#server/modules/bans/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useRefusal } from '../acts/use-refusal.ts'
import { useQueueCache } from '../use-queue-cache.ts'

interface LiftButtonProps {
  userId: string
  place: BanPlace
  placeName: string
  onLifted?: () => void
}

/** Ends a ban before its time. */
export function LiftButton({ userId, place, placeName, onLifted }: LiftButtonProps) {
  const t = useTranslations('ban')
  const cache = useQueueCache()
  const announce = useAnnounce()
  const refusalOf = useRefusal()
  const { done } = useDeskActs()
  const lifting = useMutation(useTRPC().bans.unban.mutationOptions())

  async function lift(): Promise<void> {
    try {
      await lifting.mutateAsync({ userId, place })
    } catch (error) {
      announce(refusalOf(error) ?? '')
      return
    }
    onLifted?.()
    cache.forgetAuthor()
    done({ words: t('lifted', { place: placeName }) })
  }

  return (
    <Button size="small" className="text-small" isPending={lifting.isPending} onPress={() => void lift()}>
      {t('lift')} <span className="sr-only">{placeName}</span>
    </Button>
  )
}
