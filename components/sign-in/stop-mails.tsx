'use client'
import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * Stops the mails once the page is open in a browser: the click on the link was the person's own. Programs that only look at links don't run it, and
 * the request itself changes nothing.
 */
export function StopMails({ token }: { token: string }) {
  const t = useTranslations('stop')
  const topic = useTranslations('notifications.topics')
  const { mutate, data, error } = useMutation(
    useTRPC().notifications.stop.mutationOptions({ meta: { isPublic: true } }),
  )
  useEffect(() => mutate({ token }), [mutate, token])
  const isInvalid = error && ['NOT_FOUND', 'UNPROCESSABLE_CONTENT'].includes(toRequestError(error).code ?? '')

  return (
    <div className="mt-3 grid gap-3">
      <div role="status">
        {!data && !error && t('stopping')}
        {data && (
          <>
            <p>{t('stopped')}</p>
            <ul className="mt-1 ms-4 list-disc font-firm text-ink">
              {data.topics.map((name) => (
                <li key={name}>{topic(name)}</li>
              ))}
            </ul>
          </>
        )}
        {error && <p className="text-reject">{t(isInvalid ? 'invalid' : 'failed')}</p>}
      </div>
      {error && !isInvalid && <Button onPress={() => mutate({ token })}>{t('submit')}</Button>}
      <Link href="/settings/notifications" prefetch={false} className="w-fit font-firm">
        {t('settings')}
      </Link>
    </div>
  )
}
