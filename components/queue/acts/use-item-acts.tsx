'use client'
import { type ReactElement, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { KeyAct } from '#components/keys/keys.ts'
import { shortcutOf } from '#components/keys/printed-keys.ts'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { type LastAct, useLastAct } from '#components/kit/acts/use-last-act.ts'
import type { QueueInput } from '#components/kit/addresses/queue-search.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { usePause } from '#components/kit/wellness/pause-context.tsx'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useClaim } from '../claims/use-claim.ts'
import { hasThread, itemIdOf } from '../state/item-id.ts'
import { useQueueStore } from '../state/store/queue-store.tsx'
import { useCover } from '../state/use-cover.ts'
import type { Edited } from '../state/use-edited.ts'
import type { Item } from '../state/use-item.ts'
import type { Selection } from '../state/use-selection.ts'
import { allowedOutcomes } from './decisions/allowed-outcomes.ts'
import type { Decisions } from './decisions/use-decisions.ts'
import type { ActName, DeskActs } from './desk-acts.ts'
import { useAskedReason } from './reasons/use-asked-reason.ts'
import { useActDialog } from './use-act-dialog.tsx'
import { useMakeRule } from './use-make-rule.ts'
import { useReadFirst } from './use-read-first.ts'
import { useReopenedAct } from './use-reopened-act.ts'

interface ActsInput {
  userId: string
  decisions: Decisions
  selection: Selection
  item: Item
  edited: Edited
  input: QueueInput
}

type ActKey = Exclude<
  KeyAct,
  | 'next'
  | 'previous'
  | 'open'
  | 'back'
  | `choose${string}`
  | 'group'
  | 'wave'
  | 'search'
  | 'filters'
  | 'dates'
  | 'export'
  | 'showText'
  | 'translate'
  | 'context'
  | 'keys'
>

interface Acts {
  /** For every component on the queue page. */
  deskActs: DeskActs
  keys: Record<ActKey, (combo: string) => void>
  decide: (outcome: Outcome, options: { withFocus: boolean }) => void
  asked: ReturnType<typeof useAskedReason>
  inWords: () => void
  last: LastAct | undefined
  undoAct: (act: LastAct) => void
  dismissAct: () => void
  dialog: ReactElement | undefined
}

/** Every act on the current item. */
export function useItemActs({ userId, decisions, selection, item, edited, input }: ActsInput): Acts {
  const t = useTranslations('acts')
  const queueT = useTranslations('queue')
  const reportedT = useTranslations('reported')
  const banCombo = useCombo('ban')
  const { dispatch } = useQueueStore()
  const claimsT = useTranslations('claims')
  const times = useTimes()
  const { open: openUnread, opened, dialog } = useActDialog()
  const ruleFrom = useMakeRule()
  const { countDecision } = usePause()
  const { last: act, done, undo: undoAct, dismiss: dismissAct } = useLastAct()
  const cover = useCover(selection.currentId)
  const asked = useAskedReason(decisions, selection.currentId)
  const { shown, read, decided } = item
  const { isRead, openRead } = useReadFirst({ item, edited, done })
  const open = openRead(openUnread)
  // What is reopened was read before the session ended.
  useReopenedAct(opened, { open: openUnread, selection, shown })
  const isWaiting = shown !== undefined && !decided
  // A later decision is undone first.
  const last = act && act.at >= (decisions.decisions.at(-1)?.decidedAt ?? 0) ? act : undefined

  const [yes, no] = allowedOutcomes(input.view, shown)
  /** The item and the claimant that this person was warned of: repeating the decision confirms it. */
  const [warnedOf, setWarnedOf] = useState<string>()

  const next = () => selection.neighbour(1) ?? selection.neighbour(-1)

  const leave: DeskActs['leave'] = (items) => {
    const left = new Set(items.map(itemIdOf))
    if (selection.currentId && left.has(selection.currentId)) selection.moveTo(selection.nextWithout(left))
  }

  const toggleClaim = useClaim({ userId, input, done, leave })

  /** Why an outcome isn't possible: a key that does nothing says so. */
  function whyNot({ subjectType, author, allowed, isWithdrawn }: QueueItem): string {
    if (read?.isWaiting === false) return queueT('gone')
    if (author.userId === userId) return queueT('ownWork')
    if (isWithdrawn && allowed.length > 0) return `${reportedT('evidence.withdrawn')} ${reportedT('evidence.dismiss')}`
    const isPerson = subjectType === 'user' && allowed.length > 0
    return isPerson
      ? reportedT('cannotDelete', { author: author.displayName, key: shortcutOf(banCombo ?? 'b') })
      : queueT('notAllowed')
  }

  function decide(outcome: Outcome, { withFocus }: { withFocus: boolean }): void {
    if (shown && decided?.isReversible && outcome === no) {
      open('reverse', shown)
      return
    }
    if (!shown || decided) return
    if (!shown.allowed.includes(outcome)) {
      done({ words: whyNot(shown) })
      return
    }
    if (!isRead(shown) || !isWarned(shown)) return
    const ledTo = next()
    if (!decisions.decide(shown, outcome, input, { ledTo })) return
    selection.moveTo(ledTo, { withFocus })
    countDecision()
  }

  /** Names the claimant before a decision on a claimed item. */
  function isWarned(item: QueueItem): boolean {
    if (!item.claim || item.claim.by.userId === userId) return true
    const { by, until } = item.claim
    const about = `${itemIdOf(item)} ${by.userId}`
    if (warnedOf === about) return true
    setWarnedOf(about)
    done({ words: claimsT('warning', { who: by.displayName, time: times.exact(until) }) })
    return false
  }

  function claim(): void {
    if (!isWaiting) return
    if (shown.author.userId === userId) done({ words: queueT('ownWork') })
    else void toggleClaim(shown, { isGroup: selection.current?.alike !== undefined })
  }

  function escalate(): void {
    if (!isWaiting) return
    open(shown.escalation ? 'handOver' : 'escalate', shown)
  }

  function skip(): void {
    if (!shown) return
    const itemId = itemIdOf(shown)
    selection.moveTo(next())
    dispatch({ type: 'skipped', item: shown })
    done({
      words: t('skipped', { author: shown.author.displayName }),
      undo: async () => {
        dispatch({ type: 'unskipped', item: shown })
        selection.moveTo(itemId)
      },
    })
  }

  /** Undoes the latest act of this tab, else the latest decision this person made anywhere. */
  async function undo(): Promise<void> {
    if (last?.undo) {
      undoAct(last)
      return
    }
    const taken = decisions.undoLast()
    const itemId = taken ? itemIdOf(taken.item) : await decisions.undoElsewhere()
    if (itemId) selection.moveTo(itemId)
  }

  /** Opens the free-text reason: for the rejection just made (after undoing it), otherwise for the current item. */
  function inWords(): void {
    const rejected = asked.askedNow()
    if (rejected) {
      selection.moveTo(itemIdOf(rejected.item))
      open('reject', decisions.undo(rejected))
    } else if (isWaiting && shown.allowed.includes(no) && isWarned(shown)) open('reject', shown)
  }

  function makeRule(): void {
    if (shown && !ruleFrom(shown)) done({ words: t('noRule') })
  }

  /** For what is held and pending: the dialog says where the person may not edit it. */
  function edit(): void {
    if (!isWaiting) return
    if (shown.kind === 'held') open('edit', shown)
    else done({ words: t('noEdit') })
  }

  const openOn = (name: ActName) => () => {
    if (shown) open(name, shown)
  }

  return {
    deskActs: { open, done, leave, show: selection.open, skip, decisions, input, cover, wrote: edited.confirm },
    keys: {
      approve: () => decide(yes, { withFocus: true }),
      reject: () => decide(no, { withFocus: true }),
      reason: (combo) => asked.give(Number(combo)),
      inWords,
      claim,
      escalate,
      skip,
      takeBack: () => void undo(),
      ban: openOn('ban'),
      mute: openOn('mute'),
      treatment: openOn('treatment'),
      warn: openOn('warn'),
      edit,
      note: openOn('note'),
      thread: () => hasThread(shown) && openOn('thread')(),
      earlier: openOn('earlier'),
      rule: makeRule,
      uncover: cover.next,
    },
    decide,
    asked,
    inWords,
    last,
    undoAct,
    dismissAct,
    dialog,
  }
}
