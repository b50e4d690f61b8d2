'use client'
import { useTranslations } from 'use-intl'
import type { BanPlace } from '#server/modules/spaces/sanctions/schema.ts'

/** The name of a space someone can be banned from, and a key that is unique to it. */
export function useSpaceName(): (place: { place: BanPlace; displayName: string }) => string {
  const t = useTranslations('ban')
  return ({ place: { scope }, displayName }) => t(`places.${scope}`, { name: displayName })
}

export function spaceKey(place: BanPlace): string {
  switch (place.scope) {
    case 'channel':
      return `channel:${place.channelId}`
    case 'community':
      return `community:${place.communityId}`
    case 'network':
      return 'network'
  }
}
