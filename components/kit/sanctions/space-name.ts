'use client'
import { useTranslations } from 'use-intl'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'

/** The name of a space someone can be banned from, and a key that is unique to it. */
export function useSpaceName(): (space: { space: BanSpace; displayName: string }) => string {
  const t = useTranslations('ban')
  return ({ space: { scope }, displayName }) => t(`spaces.${scope}`, { name: displayName })
}

export function spaceKey(space: BanSpace): string {
  switch (space.scope) {
    case 'channel':
      return `channel:${space.channelId}`
    case 'community':
      return `community:${space.communityId}`
    case 'network':
      return 'network'
  }
}
