'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import type { ChosenTerm } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf } from '#components/kit/sanctions/terms.ts'
import { useBanErrorMessage } from '#components/kit/sanctions/use-ban-error-message.ts'
import { useBanWords } from '#components/kit/sanctions/use-ban-words.ts'
import { useTermPhrase } from '#components/kit/sanctions/use-term-phrase.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { BanChoice, BanDone, BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { useQueueCache } from '../../state/use-queue-cache.ts'
import { useDeskActs } from '../desk-acts.ts'
import { rememberBanRejectsItems } from './remembered-ban-rejects.ts'
import { type Removal, useOtherItemsOfAuthor } from './use-other-items-of-author.ts'

export interface BanFields extends ChosenTerm {
  chosenKey: string | undefined
  reason: string
  policyId: string | undefined
  isRemoving: boolean
}

/** Bans the author of an item and rejects it and their other pending items, if asked to. `onDone` runs before the announcement. */
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
  const [progress, setProgress] = useState<BulkProgress>()
  const [isPending, setPending] = useState(false)
  const [banned, setBanned] = useState<BanDone>()

  const { userId, displayName: author } = item.author
  const choicesOptions = trpc.bans.choices.queryOptions({
    userId,
    communityId: item.community?.communityId,
    channelId: item.channel?.channelId,
  })
  const { data: choices, isError } = useQuery({ ...choicesOptions, staleTime: 0 })
  const chosen = choices && choiceOf(choices, fields.chosenKey)
  const banning = useMutation(trpc.bans.ban.mutationOptions())
  const unbanning = useMutation(trpc.bans.unban.mutationOptions())
  const others = useOtherItemsOfAuthor({
    item,
    isEverywhere: chosen?.space.scope === 'network',
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
    // If only the rejections failed, a retry continues with those.
    const ended = banned ?? (await banning.mutateAsync({ userId, space, minutes, reason, policyId: fields.policyId }))
    setBanned(ended)
    const removal = fields.isRemoving ? await others.remove(setProgress) : undefined
    rememberBanRejectsItems(fields.isRemoving)

    onDone()
    if (removal) {
      leave(removal.gone)
      cache.take(input, removal.gone)
    }
    void cache.forgetAuthor()
    done({ words: banWords(wordsOf(choice, removal), ended), undo: () => undo(space, removal) })
  }

  /** Undoes both; returns what to say if it is too late for the rejections. */
  async function undo(space: BanSpace, removal: Removal | undefined): Promise<string | undefined> {
    const areBack = removal === undefined || (await removal.undo())
    await unbanning.mutateAsync({ userId, space })
    void cache.forgetAuthor()
    if (!areBack) return t('others.tooLate', { author })
    if (!removal) return undefined
    await cache.readListsAgain()
    if (removal.gone.some((gone) => itemIdOf(gone) === itemIdOf(item))) show(itemIdOf(item))
    return undefined
  }

  function wordsOf(choice: BanChoice, removal: Removal | undefined): string {
    const said = t('done', { author, space: spaceName(choice), term: termPhrase(fields) })
    return removal ? `${said} ${t('others.done', { count: removal.done, refused: removal.refused })}` : said
  }

  return {
    choices,
    chosen,
    others,
    progress,
    isPending,
    failure: failure ?? (isError ? t('notRead') : undefined),
    submit: () => void submit(),
  }
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
