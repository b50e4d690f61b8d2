'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import type { OwnNotifications } from '#server/modules/integrations/notifications/schema.ts'
import { SettingsSection } from '../settings-page.tsx'
import { PushRefused, readSubscription, turnPushOff, turnPushOn } from './browser-push.ts'

/** Turns push on and off in this browser. Permission is asked for only when it is turned on. */
export function PushSection({ pushKey, browsers }: Required<Pick<OwnNotifications, 'pushKey' | 'browsers'>>) {
  const t = useTranslations('notifications')
  const { notifications } = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const here = useQuery({
    queryKey: ['push in this browser'],
    queryFn: readSubscription,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const turning = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (isOn) return trpcClient.notifications.subscribe.mutate(await turnPushOn(pushKey))
      const endpoint = await turnPushOff()
      return endpoint === undefined ? undefined : trpcClient.notifications.unsubscribe.mutate({ endpoint })
    },
    onSuccess: (_, isOn) => announce(t(isOn ? 'turnedOnHere' : 'turnedOffHere')),
    onSettled: () => Promise.all([here.refetch(), queryClient.invalidateQueries(notifications.own.queryFilter())]),
  })
  const { error } = turning
  const failure = error instanceof PushRefused ? t(error.reason) : errorMessageOf(error)

  return (
    <SettingsSection id="push" title={t('push')}>
      {here.data === 'unsupported' ? (
        <p>{t('unsupported')}</p>
      ) : (
        <SwitchRow
          label={t('browser')}
          about={t('browserText')}
          isOn={here.data === 'on'}
          onChange={(isOn) => turning.mutate(isOn)}
        />
      )}
      <p className="mt-2 text-small text-ink-3">{t('browsers', { count: browsers })}</p>
      {failure && <FormError id="push-failure">{failure}</FormError>}
    </SettingsSection>
  )
}
