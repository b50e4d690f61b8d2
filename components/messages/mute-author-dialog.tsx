'use client'
import { MuteDialog } from '#components/kit/sanctions/mute-dialog.tsx'
import type { SanctionAuthorProps } from './sanction-author-props.ts'

/** Mutes the author in the channel. */
export function MuteAuthorDialog({ message: { author, channel }, ...dialog }: SanctionAuthorProps) {
  return <MuteDialog person={author} foundIn={{ channelId: channel.channelId }} {...dialog} />
}
