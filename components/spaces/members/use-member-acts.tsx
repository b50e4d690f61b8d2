'use client'
import { type ReactElement, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import type { Done } from '#components/kit/acts/done.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { useLazyDialog } from '#components/kit/acts/use-lazy-dialog.ts'
import { restOfMute } from '#components/kit/sanctions/rest-of-mute.ts'
import { useTRPCClient } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { DeskMember, MemberSpace, SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import { reached } from './use-members.ts'

const DIALOGS = {
  ban: lazyPart(() => import('./member-sanction-dialogs.tsx').then(({ BanMembersDialog }) => BanMembersDialog)),
  mute: lazyPart(() => import('./member-sanction-dialogs.tsx').then(({ MuteMembersDialog }) => MuteMembersDialog)),
  addRole: lazyPart(() => import('./role-dialog.tsx').then(({ AddRoleDialog }) => AddRoleDialog)),
  removeRole: lazyPart(() => import('./role-dialog.tsx').then(({ RemoveRoleDialog }) => RemoveRoleDialog)),
  add: lazyPart(() => import('./add-dialog.tsx').then(({ AddDialog }) => AddDialog)),
}

export type MemberActName = keyof typeof DIALOGS | 'unban' | 'unmute' | 'remove'

interface MemberActsInput {
  space: MemberSpace
  roles: SpaceRole[]
  chosen: DeskMember[]
  onSearch: () => void
  clear: () => void
  readAgain: () => Promise<void>
}

/** Acts on members: some with a dialog, all with a time-limited undo. */
export function useMemberActs({ space, roles, chosen, onSearch, clear, readAgain }: MemberActsInput) {
  const { last, done, undo, dismiss } = useLastAct()
  const { opened, open, close } = useLazyDialog<{ act: keyof typeof DIALOGS; members: DeskMember[] }>()
  const { isPending, run } = useDirectActs(space)

  function doneAndRead({ words, undo }: Done): void {
    const undoAndRead = undo && (() => undo().finally(readAgain))
    done({ words, ...(undoAndRead && { undo: undoAndRead }) })
    clear()
    void readAgain()
  }

  function act(name: MemberActName): void {
    if (name === 'unban' || name === 'unmute' || name === 'remove') {
      void run(name, reached(chosen, name)).then((said) => said && doneAndRead(said))
    } else open(DIALOGS[name], { act: name, members: name === 'add' ? [] : reached(chosen, name) })
  }

  const keys = {
    search: onSearch,
    ...(reached(chosen, 'ban').length > 0 && { ban: () => act('ban') }),
    ...(reached(chosen, 'mute').length > 0 && { mute: () => act('mute') }),
    ...(chosen.length > 0 && { back: clear }),
    ...(last?.undo && { takeBack: () => undo(last) }),
  }
  useActs(opened ? {} : keys)

  const Dialog = opened && DIALOGS[opened.act]
  const dialog: ReactElement | undefined = Dialog && (
    <Dialog
      space={space}
      members={opened.members}
      roles={roles}
      typed={opened.typed}
      onClose={close}
      onDone={doneAndRead}
    />
  )
  return { act, isPending, dialog, last, undo, dismiss }
}

/** Acts without a dialog; errors are announced. */
function useDirectActs(space: MemberSpace) {
  const t = useTranslations('members')
  const { members: acts } = useTRPCClient()
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const [isPending, setPending] = useState(false)

  async function perform(name: 'unban' | 'unmute' | 'remove', people: DeskMember[]): Promise<Done> {
    const userIds = people.map(({ userId }) => userId)
    const words = t(`done.${name}`, { count: people.length, who: people[0]?.displayName ?? '' })
    if (name === 'unban') {
      await acts.unban.mutate({ space, userIds })
      return { words, undo: () => acts.banAgain.mutate({ space, members: people.map(toBanned) }) }
    }
    if (name === 'remove') {
      const { isWithoutModerator } = await acts.remove.mutate({ space, userIds })
      const members = people.map(({ userId, roles }) => ({ userId, roles }))
      const said = isWithoutModerator ? `${words} ${t('noModerator')}` : words
      return { words: said, undo: () => acts.putBack.mutate({ space, areBanned: false, members }) }
    }
    await acts.mute.mutate({ space, userIds, minutes: 0 })
    return {
      words,
      undo: () =>
        Promise.all(
          people.map(({ userId, mute }) => acts.mute.mutate({ space, userIds: [userId], ...restOfMute(mute) })),
        ),
    }
  }

  async function run(name: 'unban' | 'unmute' | 'remove', people: DeskMember[]): Promise<Done | undefined> {
    setPending(true)
    try {
      return await perform(name, people)
    } catch (error) {
      announce(errorMessageOf(error) ?? '')
      return undefined
    } finally {
      setPending(false)
    }
  }
  return { isPending, run }
}

function toBanned({ userId, ban }: DeskMember) {
  const { endsAt, reason, policyId } = ban ?? {}
  return { userId, ...(endsAt && { endsAt }), ...(reason && { reason }), ...(policyId && { policyId }) }
}
