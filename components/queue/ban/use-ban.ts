'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { spaceKey, useSpaceName } from '#components/kit/sanctions/space-name.ts'
import type { ChosenTerm } from '#components/kit/sanctions/term-choice.tsx'
import { minutesOf } from '#components/kit/sanctions/terms.ts'
import { useBanErrorMessage } from '#components/kit/sanctions/use-ban-error-message.ts'
import { useZone } from '#components/kit/zones/use-zone.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { BulkProgress } from '#server/modules/review/bulk/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import type { BanChoice, BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useQueueCache } from '../use-queue-cache.ts'
import { type Removal, useOthers } from './use-others.ts'

export interface BanFields extends ChosenTerm {
  chosenKey: string | undefined
  reason: string
  isRemoving: boolean
}

/** Bans the author of an item and rejects their other pending items with it. `onDone` runs before the announcement. */
export function useBan(item: QueueItem, fields: BanFields, onDone: () => void) {
  const t = useTranslations('ban')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const cache = useQueueCache()
  const { zone } = useZone()
  const spaceName = useSpaceName()
  const errorMessageOf = useBanErrorMessage()
  const { done, input } = useDeskActs()
  const [failure, setFailure] = useState<string>()
  const [progress, setProgress] = useState<BulkProgress>()
  const [isPending, setPending] = useState(false)
  const [hasBanned, setBanned] = useState(false)

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
  const others = useOthers({ item, isEverywhere: chosen?.space.scope === 'network', isWanted: fields.isRemoving })

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
    if (!hasBanned) await banning.mutateAsync({ userId, space, minutes, reason })
    setBanned(true)
    cache.forgetAuthor()
    const removal = others.removable.length > 0 ? await others.remove(setProgress) : undefined

    onDone()
    if (removal) cache.take(input, removal.gone)
    done({ words: wordsOf(choice, removal), takeBack: () => takeBack(space, removal) })
  }

  async function takeBack(space: BanSpace, removal: Removal | undefined): Promise<void> {
    await unbanning.mutateAsync({ userId, space })
    cache.forgetAuthor()
    if (!removal) return
    await removal.undo()
    await cache.readListsAgain()
  }

  function wordsOf(choice: BanChoice, removal: Removal | undefined): string {
    const term = t(`for.${fields.term ?? 'forever'}`, { day: fields.lastDay })
    const said = t('done', { author, space: spaceName(choice), term })
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
