'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { useErrorMessage } from '../acts/use-error-message.ts'

interface LiftButtonProps {
  userId: string
  space: BanSpace
  spaceName: string
  /** Receives the message to announce. */
  onLifted: (words: string) => void
}

/** Ends a ban early. */
export function LiftButton({ userId, space, spaceName, onLifted }: LiftButtonProps) {
  const t = useTranslations('ban')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const lifting = useMutation(useTRPC().bans.unban.mutationOptions())

  async function lift(): Promise<void> {
    try {
      await lifting.mutateAsync({ userId, space })
    } catch (error) {
      announce(errorMessageOf(error) ?? '')
      return
    }
    onLifted(t('lifted', { space: spaceName }))
  }

  return (
    <Button size="small" className="text-small" isPending={lifting.isPending} onPress={() => void lift()}>
      {t('lift')} <span className="sr-only">{spaceName}</span>
    </Button>
  )
}
