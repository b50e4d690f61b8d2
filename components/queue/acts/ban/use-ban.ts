'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Banned, useRemoval } from '#components/kit/removal/use-removal.ts'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import type { ChosenTerm } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf } from '#components/kit/sanctions/terms.ts'
import { useBanErrorMessage } from '#components/kit/sanctions/use-ban-error-message.ts'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import { useTermPhrase } from '#components/kit/sanctions/use-term-phrase.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { BanChoice, OneSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { useDeskActs } from '../desk-acts.ts'
import { lastBanRejectedItems, rememberBanRejectsItems } from './remembered-ban-rejects.ts'

export interface BanFields extends ChosenTerm {
  chosenKey: string | undefined
  reason: string
  policyId: string | undefined
  /** Keys pressed while the dialog was loading. */
  typed: string[]
}

/** Bans the author of an item and removes what else they wrote, if asked to. `onDone` runs before the announcement. */
export function useBan(item: QueueItem, fields: BanFields, onDone: () => void) {
  const t = useTranslations('ban')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const cache = useQueueCache()
  const { zone } = useZone()
  const spaceName = useSpaceName()
  const errorMessageOf = useBanErrorMessage()
  const termPhrase = useTermPhrase()
  const banWords = useBanWords()
  const { done, input, leave, show } = useDeskActs()
  const [failure, setFailure] = useState<string>()
  const [isPending, setPending] = useState(false)

  const { userId, displayName: author } = item.author
  const choicesOptions = trpc.bans.choices.queryOptions({
    userId,
    communityId: item.community?.communityId,
    channelId: item.channel?.channelId,
  })
  const { data: choices, isError } = useQuery({ ...choicesOptions, staleTime: 0 })
  const chosen = choices && choiceOf(choices, fields.chosenKey)
  /** Only what is held, and they may reject, is itself rejected with the others. */
  const withThis = item.allowed.includes('rejected')
  const removal = useRemoval({
    userId,
    author,
    home: homeOf(item),
    isEverywhere: chosen?.space.scope === 'network',
    item: withThis ? item : undefined,
    isHeldAsked: lastBanRejectedItems(),
    typed: fields.typed,
  })

  async function submit(): Promise<void> {
    const { term, lastDay } = fields
    const minutes = term && minutesOf({ term, lastDay, now: new Date(), zone })
    if (minutes === undefined) return setFailure(t(term === 'until' ? 'chooseDay' : 'chooseTerm'))
    setFailure(undefined)
    setPending(true)
    try {
      // The spaces may still be loading if the keys were faster.
      const choice = choiceOf(choices ?? (await queryClient.fetchQuery(choicesOptions)), fields.chosenKey)
      if (choice) await ban(choice, minutes)
      else setFailure(t('nowhere'))
    } catch (error) {
      setFailure(errorMessageOf(error))
    } finally {
      setPending(false)
    }
  }

  async function ban(choice: BanChoice, minutes: number | null): Promise<void> {
    const { space } = choice
    const reason = fields.reason.trim() || undefined
    const banned = await removal.ban({ userId, space, minutes, reason, policyId: fields.policyId })
    rememberBanRejectsItems(removal.isHeldIncluded)

    onDone()
    const { removal: removed } = banned
    if (removed) {
      leave(removed.gone)
      cache.take(input, removed.gone)
      if (!removed.isAll) void cache.readListsAgain()
    }
    void cache.forgetAuthor()
    const said = t('done', { author, space: spaceName(choice), term: termPhrase(fields) })
    const words = removed ? `${said} ${removed.words}` : said
    done({ words: banWords(words, banned), undo: () => undo(banned) })
  }

  /** Undoes both; returns what to say if it isn't all undone. */
  async function undo({ removal: removed, undo }: Banned): Promise<string | undefined> {
    const said = await undo()
    void cache.forgetAuthor()
    if (!removed) return said
    await cache.readListsAgain()
    if (said === undefined && removed.gone.some((gone) => itemIdOf(gone) === itemIdOf(item))) show(itemIdOf(item))
    return said
  }

  return {
    choices,
    chosen,
    removal,
    withThis,
    isPending,
    failure: failure ?? (isError ? t('notRead') : undefined),
    submit: () => void submit(),
  }
}

/** The community or channel of an item. */
function homeOf({ community, channel }: QueueItem): OneSpace | undefined {
  if (community) return { scope: 'community', communityId: community.communityId }
  return channel && { scope: 'channel', channelId: channel.channelId }
}

/** The selected space; else the community, if the author isn't banned from it; else the narrowest space without a ban. */
function choiceOf(choices: BanChoice[], chosenKey: string | undefined): BanChoice | undefined {
  const free = choices.filter(({ ban }) => !ban)
  return (
    choices.find(({ space }) => spaceKey(space) === chosenKey) ??
    free.find(({ space }) => space.scope === 'community') ??
    free[0] ??
    choices[0]
  )
}
