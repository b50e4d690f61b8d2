'use client'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { BanSpace, OneSpace } from '#server/modules/spaces/sanctions/schema.ts'
import type { Done } from '../acts/done.ts'
import { useErrorMessage } from '../acts/use-error-message.ts'
import { restOfMute } from './rest-of-mute.ts'

interface LiftButtonProps<Space extends BanSpace> {
  userId: string
  space: Space
  spaceName: string
  onLifted: (act: Done) => void
}

/** Ends a ban early. */
export function LiftButton({ userId, space, spaceName, onLifted }: LiftButtonProps<BanSpace>) {
  const t = useTranslations('ban')
  const lifting = useMutation(useTRPC().bans.unban.mutationOptions())
  return (
    <EndButton
      label={t('lift')}
      spaceName={spaceName}
      isPending={lifting.isPending}
      end={() => lifting.mutateAsync({ userId, space })}
      onEnded={() => onLifted({ words: t('lifted', { space: spaceName }) })}
    />
  )
}

interface UnmuteButtonProps extends LiftButtonProps<OneSpace> {
  mute: { endsAt?: string; reason?: string; policyId?: string }
}

/** Ends a mute early; undoing that mutes for the rest of its time. */
export function UnmuteButton({ userId, space, spaceName, mute, onLifted }: UnmuteButtonProps) {
  const t = useTranslations('ban')
  const muting = useMutation(useTRPC().members.mute.mutationOptions())
  return (
    <EndButton
      label={t('unmute')}
      spaceName={spaceName}
      isPending={muting.isPending}
      end={() => muting.mutateAsync({ space, userIds: [userId], minutes: 0 })}
      onEnded={() =>
        onLifted({
          words: t('unmuted', { space: spaceName }),
          undo: () => muting.mutateAsync({ space, userIds: [userId], ...restOfMute(mute) }),
        })
      }
    />
  )
}

interface EndButtonProps {
  label: string
  spaceName: string
  isPending: boolean
  end: () => Promise<unknown>
  onEnded: () => void
}

/** Errors are announced. */
export function EndButton({ label, spaceName, isPending, end, onEnded }: EndButtonProps) {
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()

  async function press(): Promise<void> {
    try {
      await end()
    } catch (error) {
      announce(errorMessageOf(error) ?? '')
      return
    }
    onEnded()
  }

  return (
    <Button size="small" className="text-small" isPending={isPending} onPress={() => void press()}>
      {label} <span className="sr-only">{spaceName}</span>
    </Button>
  )
}
