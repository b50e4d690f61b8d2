'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC, useTRPCClient } from '#components/trpc/trpc-context.ts'
import type { BulkProgress, RemovalCounts, RemovalPreview, RemovedItem } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { BanDone, BanInput, BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { newBulkId } from '../bulks/new-bulk-id.ts'
import { undoBulk, workOff } from '../bulks/run-bulk.ts'
import { markSeen } from '../bulks/seen-bulks.ts'

/** How far back what is published is removed, each with the key that chooses it. */
export const PERIODS = {
  none: { key: 'n', minutes: undefined },
  hour: { key: 'h', minutes: 60 },
  day: { key: 'd', minutes: 24 * 60 },
  week: { key: 'w', minutes: 7 * 24 * 60 },
  all: { key: 'a', minutes: null },
} as const
export type Period = keyof typeof PERIODS
export const PERIOD_NAMES = Object.keys(PERIODS) as Period[]

const EVERYWHERE: BanSpace = { scope: 'network' }

interface RemovalOf {
  userId: string
  /** The space in which the person was met, where it is removed by default; absent where there is none. */
  home?: BanSpace | undefined
  /** Whether the ban is of the whole network: then it is removed everywhere by default. */
  isEverywhere: boolean
  /** The item in front, if it is held. */
  item?: Subject | undefined
  /** Whether what is held is removed from the start. */
  isHeldAsked?: boolean
  /** The person's name, for messages. */
  author: string
  /** Keys pressed while the dialog was loading. */
  typed: string[]
}

/** A ban, and what is removed together with it: what of it, where, and what is left out. */
export function useRemoval({ userId, home, isEverywhere, item, isHeldAsked = false, author, typed }: RemovalOf) {
  const t = useTranslations('ban')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const bulkId = useRef('')
  const [isHeldIncluded, includeHeld] = useState(isHeldAsked)
  const [period, choosePeriod] = useState<Period>(() => typed.map(periodOf).findLast((pressed) => pressed) ?? 'none')
  const [chosenSpace, chooseSpace] = useState<BanSpace>()
  const [left, setLeft] = useState<ReadonlyMap<string, Subject>>(new Map())
  const [progress, setProgress] = useState<BulkProgress>()

  const space = chosenSpace ?? (isEverywhere ? EVERYWHERE : (home ?? EVERYWHERE))
  const { minutes } = PERIODS[period]
  const options = trpc.bulk.previewRemoval.queryOptions({
    authorId: userId,
    space,
    ...(item && { item: { subjectType: item.subjectType, subjectId: item.subjectId } }),
    ...(minutes !== undefined && { withinMinutes: minutes }),
  })
  const preview = useQuery({
    ...options,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const asked = { isHeldIncluded, isPublishedIncluded: period !== 'none' }
  const isAsked = asked.isHeldIncluded || asked.isPublishedIncluded
  const isKnown = preview.isSuccess && !preview.isPlaceholderData
  const count = isKnown ? countOf(preview.data, { ...asked, left }) : undefined

  /** Bans the person, and removes what is chosen. Called again after a lost connection, it goes on. */
  async function ban(ban: BanInput): Promise<Banned> {
    const removal = await start(ban)
    const { withoutModerator } = removal ?? (await client.bans.ban.mutate(ban))
    return { withoutModerator, removal, undo: () => undoBan(ban, removal) }
  }

  /** Undoes both; returns what to say if it isn't all undone. */
  async function undoBan({ space }: BanInput, removal: Removal | undefined): Promise<string | undefined> {
    const undone = await removal?.undo()
    if (undone === undefined) await client.bans.unban.mutate({ userId, space })
    if (!removal) return undefined
    if (undone === undefined) return t('others.tooLate', { author })
    const { kept, isStillBanned } = undone
    if (kept === 0 && !isStillBanned) return undefined
    return t('others.undone', { count: undone.undone, kept, ban: isStillBanned ? 'kept' : 'lifted' })
  }

  /** Undefined if there is nothing to remove. */
  async function start(ban: BanInput): Promise<Removal | undefined> {
    if (!isAsked) return undefined
    // The preview may still be loading if the keys were faster.
    const previewed = await queryClient.fetchQuery({ ...options, staleTime: Number.POSITIVE_INFINITY })
    if (countOf(previewed, { ...asked, left }) === 0) return undefined
    bulkId.current ||= newBulkId()
    const id = bulkId.current
    const { at, since, items } = previewed
    const { withoutModerator } = await client.bulk.remove.mutate({
      bulkId: id,
      ban,
      space,
      at,
      isHeldIncluded,
      ...(item && { item: { subjectType: item.subjectType, subjectId: item.subjectId } }),
      ...(asked.isPublishedIncluded && { published: { ...(since !== undefined && { since }) } }),
      except: [...left.values()],
    })
    const done = await workOff(client, id, setProgress)
    // The message about the ban reports the result.
    markSeen(id)
    const refused = new Set(done.refused.map(keyOf))
    return {
      withoutModerator,
      words: t(asked.isPublishedIncluded ? 'others.removed' : 'others.done', {
        count: done.done,
        refused: done.total - done.done - done.waiting,
      }),
      gone: items.filter(
        (one) => isIncluded(one, asked) && !left.has(keyOf(one)) && !one.error && !refused.has(keyOf(one)),
      ),
      isAll: done.total <= items.length,
      undo: () => undo(id),
    }
  }

  /** Undoes both. Returns how many items were restored and how many were not, as somebody has changed them since; undefined once it is too late. */
  async function undo(id: string): Promise<Undone | undefined> {
    const undone = await undoBulk(client, id)
    return undone && { undone: undone.undone, kept: undone.done, isStillBanned: (undone.sanctions?.done ?? 0) > 0 }
  }

  function toggle(one: RemovedItem): void {
    const key = keyOf(one)
    setLeft((before) => {
      const next = new Map(before)
      if (!next.delete(key)) next.set(key, { subjectType: one.subjectType, subjectId: one.subjectId })
      return next
    })
  }

  return {
    preview,
    /** What is listed of it. */
    items: (preview.data?.items ?? []).filter((one) => isIncluded(one, asked)),
    isHeldIncluded,
    includeHeld,
    period,
    choosePeriod,
    /** Chooses the period of a key. */
    onKey: (key: string) => {
      const pressed = periodOf(key)
      if (pressed) choosePeriod(pressed)
    },
    home,
    space,
    chooseSpace,
    isAsked,
    isPublishedIncluded: asked.isPublishedIncluded,
    /** How many are removed; undefined until that is known. */
    count,
    isLeft: (one: RemovedItem) => left.has(keyOf(one)),
    toggle,
    ban,
    /** The label of the button that does it. */
    submit: progress
      ? t(asked.isPublishedIncluded ? 'others.removing' : 'others.working', { ...progress })
      : submitWords(),
  }

  function submitWords(): string {
    if (!isAsked || !count) return t('submit')
    return t(asked.isPublishedIncluded ? 'submitRemove' : 'submitAnd', { count })
  }
}
export type RemovalChoice = ReturnType<typeof useRemoval>

export interface Banned extends BanDone {
  removal: Removal | undefined
  /** Undoes all of it; resolves to what to say if it isn't all undone. */
  undo: () => Promise<string | undefined>
}

/** What was removed with a ban. */
interface Removal extends BanDone {
  /** How many items were removed. */
  words: string
  /** The removed ones of those that were listed, and whether these are all. */
  gone: RemovedItem[]
  isAll: boolean
  undo: () => Promise<Undone | undefined>
}

interface Undone {
  undone: number
  kept: number
  isStillBanned: boolean
}

interface Asked {
  isHeldIncluded: boolean
  isPublishedIncluded: boolean
}

const periodOf = (key: string) => PERIOD_NAMES.find((name) => PERIODS[name].key === key)

const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType}:${subjectId}`

const isIncluded = ({ isPublished }: RemovedItem, { isHeldIncluded, isPublishedIncluded }: Asked) =>
  isPublished ? isPublishedIncluded : isHeldIncluded

/** How many are removed: all that are counted, without those that are left out. */
function countOf(
  { counts, items }: RemovalPreview,
  { left, ...asked }: Asked & { left: ReadonlyMap<string, Subject> },
): number {
  const leftOut = items.filter((one) => isIncluded(one, asked) && !one.error && left.has(keyOf(one))).length
  return sumOf(counts, asked) - leftOut
}

function sumOf({ held, comments, posts, messages }: RemovalCounts, { isHeldIncluded, isPublishedIncluded }: Asked) {
  return (isHeldIncluded ? held : 0) + (isPublishedIncluded ? comments + posts + messages : 0)
}
