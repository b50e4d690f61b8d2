'use client'
import { type ReactElement, useState } from 'react'
import { useActs } from '#components/keys/acts-context.tsx'
import type { Done } from '#components/kit/acts/done.ts'
import { useLastAct } from '#components/kit/acts/use-last-act.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import type { Person, PersonActs } from '#server/modules/people/schema.ts'
import type { PersonDialogProps } from './person-dialog-props.ts'

const onFailed = ({ onClose }: PersonDialogProps) => onClose()
const DIALOGS = {
  ban: lazyPart(() => import('./ban-dialog.tsx').then(({ BanDialog }) => BanDialog), { onFailed }),
  note: lazyPart(() => import('./note-dialog.tsx').then(({ NoteDialog }) => NoteDialog), { onFailed }),
  export: lazyPart(() => import('./export-dialog.tsx').then(({ ExportDialog }) => ExportDialog), { onFailed }),
  erase: lazyPart(() => import('./erase-dialog.tsx').then(({ EraseDialog }) => EraseDialog), { onFailed }),
}
export type PersonDialog = keyof typeof DIALOGS & keyof PersonActs

/** Acts on a person: each has a dialog, a shortcut, and a time-limited undo. */
export function usePersonActs(person: Person, readAgain: () => Promise<void>) {
  const { last, done, takeBack, dismiss } = useLastAct()
  const [opened, setOpened] = useState<PersonDialog>()
  const { ban, note } = person.allowed

  function doneAndRead({ words, takeBack }: Done): void {
    const takeBackAndRead = takeBack && (() => takeBack().then(readAgain))
    done({ words, ...(takeBackAndRead && { takeBack: takeBackAndRead }) })
    void readAgain()
  }

  const keys = {
    ...(ban && { ban: () => setOpened('ban') }),
    ...(note && { note: () => setOpened('note') }),
    ...(last?.takeBack && { takeBack: () => takeBack(last) }),
  }
  useActs(opened ? {} : keys, nameOf(person.user))

  const Dialog = opened && DIALOGS[opened]
  const dialog: ReactElement | undefined = Dialog && (
    <Dialog person={person} onClose={() => setOpened(undefined)} onDone={doneAndRead} />
  )
  return { open: setOpened, dialog, last, done: doneAndRead, takeBack, dismiss }
}
