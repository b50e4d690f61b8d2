'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { LastModeratedInput } from '#server/modules/spaces/sanctions/schema.ts'

/** Says before a ban which spaces it would leave without a moderator. */
export function LastModeratorWarning(people: LastModeratedInput) {
  const t = useTranslations('ban')
  const { data: names = [] } = useQuery({ ...useTRPC().bans.lastModerated.queryOptions(people), staleTime: 0 })
  const [name] = names
  if (name === undefined) return null
  return <p className="text-small text-reject">{t('lastModerator', { count: names.length, name })}</p>
}
